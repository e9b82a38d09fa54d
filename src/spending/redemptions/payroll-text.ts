import type { PayrollColumn } from '../../ground/contract/spending-option.ts';
import { csvCell } from '../../ground/values/csv.ts';
import { minorDigits } from '../../ground/values/money.ts';
import type { DueLine } from './payroll-due.ts';

/** The first line of a payroll export. */
export function payrollHeader(columns: readonly PayrollColumn[]): string {
  return `${columns.map(({ header }) => csvCell(header)).join(',')}\n`;
}

/** A line of a payroll export. */
export function lineText(columns: readonly PayrollColumn[], line: DueLine): string {
  return `${columns.map((column) => cellOf(column, line)).join(',')}\n`;
}

function cellOf({ field, text = '' }: PayrollColumn, line: DueLine): string {
  if (field === undefined) return csvCell(text);
  // Ours and a number, so it is no formula: payroll programs do not take the apostrophe that texts with a minus get.
  if (field === 'amount') return line.amount.toFixed(minorDigits(line.currency) ?? 2);
  return csvCell(String(line[field] ?? ''));
}
