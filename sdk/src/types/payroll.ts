import type { Page, PageQuery } from './page.ts';
import type { Amount } from './report.ts';
import type { TaxType } from './way.ts';

/** A closed payroll export. Each redemption is in exactly one. */
export interface PayrollExport {
  /** 1, 2, 3 … in the workspace. */
  number: number;
  /** When it was closed. */
  closedAt: string;
  /** Who closed it, if known. */
  closedBy: string | null;
  /** How many lines it has, without the first one. */
  lines: number;
  /** The history of the database in which it was closed. A restored database starts a new one. */
  history: string;
  /** What it pays, by currency. */
  totals: Amount[];
  /** Of the file, hexadecimal. */
  sha256: string;
}

/** A page of exports. */
export interface PayrollPage extends Page {
  /** How many lines the next export would have. */
  waiting: number;
  /** The newest first. */
  exports: PayrollExport[];
}

/** Which exports to list. */
export type PayrollQuery = PageQuery;

/** A gift, or a part of it that was spent in one way, as employers are asked to keep it. */
export interface TaxLine {
  /** The member id. */
  memberId: number;
  /** The company's own number for the person. */
  employeeNumber: string | null;
  /** Empty where it is not known. */
  firstName: string;
  /** Empty where it is not known. */
  lastName: string;
  /** The day on which the gift was ordered. */
  date: string;
  /** What the gift is for. */
  reason: string;
  /** Follows from the way in which it was spent. UNSPENT: what is left of the gift. */
  type: TaxType | 'UNSPENT';
  /** What the way was called. */
  way: string | null;
  /** Where it was spent, if known. */
  retailer: string | null;
  /** How much. */
  amount: number;
  /** ISO 4217 code. */
  currency: string;
  /** The day on which it was spent. */
  spentOn: string | null;
  /** The id of the gift. */
  giftId: number;
  /** The id of the redemption. */
  redemptionId: number | null;
}

/** Which lines of the tax log to read. */
export interface TaxLogQuery {
  /** The year in which gifts were ordered. */
  year: number;
  /** Only gifts to the member with this id. */
  member?: number;
  /** How many lines a page holds, from 1 to 1,000; 20 when absent. */
  size?: number;
  /** The `next` of the page before. */
  after?: string;
}

/** A page of the tax log, and where to go on. */
export interface TaxLogPage {
  /** By member, then by time. */
  lines: TaxLine[];
  /** Send it as `after` to read on; null at the end. */
  next: string | null;
}
