import type { SealedRecord, SealedTable } from '../../company/workspaces/seals.ts';
import { budgetRecord, entryColumns } from '../../giving/budgets/sealed.ts';
import { giftRecord } from '../../giving/gifts/sealed.ts';
import { orderRecord } from '../../giving/orders/sealed.ts';
import { codeRecord, poolRecord, stockColumns } from '../../spending/code-pools/sealed.ts';
import {
  payrollLineColumns,
  payrollRecord,
  redemptionRecord,
  spendingOptionRecord,
} from '../../spending/redemptions/sealed.ts';
import { checkpointRecord } from './checkpoint.ts';

/** The records that verification compares with their seals. */
export const sealedRecords: readonly SealedRecord[] = [
  budgetRecord,
  orderRecord,
  giftRecord,
  redemptionRecord,
  payrollRecord,
  spendingOptionRecord,
  poolRecord,
  codeRecord,
  checkpointRecord,
];

/** Every table with money, and what becomes of each column of it. A test compares this with the database. */
export const moneyTables: readonly SealedTable[] = [
  ...sealedRecords.flatMap(({ tables }) => tables),
  entryColumns,
  payrollLineColumns,
  stockColumns,
];
