import type { PayrollPreview, PayrollPreviewQuery } from '../../ground/contract/payroll.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { nextPayrollNumber } from './payroll.ts';
import { countDue, readDue, sumDue } from './payroll-due.ts';

/** What the next payroll export would hold if it were closed now. It closes nothing. */
export async function previewPayroll(
  on: Queryable,
  workspaceId: number,
  { size, after = 0 }: PayrollPreviewQuery,
): Promise<PayrollPreview> {
  const due = await readDue(on, workspaceId, after, size + 1);
  const lines = due.slice(0, size);
  return {
    number: await nextPayrollNumber(on, workspaceId),
    waiting: await countDue(on, workspaceId),
    ...(await sumDue(on, workspaceId)),
    lines: lines.map(({ redemptionId, giftId, employeeNumber, firstName, lastName, email, ...line }) => ({
      redemptionId,
      giftId,
      employeeNumber,
      firstName,
      lastName,
      email,
      type: line.type,
      date: line.date,
      amount: line.amount,
      currency: line.currency,
    })),
    next: due.length > size ? (lines.at(-1)?.redemptionId ?? null) : null,
  };
}
