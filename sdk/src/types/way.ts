/** How gifts are spent. PAYROLL: paid with the salary. POOL: a code of a pool. HAND: somebody fulfils it. TILL: at a till or in a shop. */
export type WayKind = 'PAYROLL' | 'POOL' | 'HAND' | 'TILL';

/** What the tax log says about a way. */
export type TaxType = 'CASH' | 'NEAR_CASH' | 'NON_CASH';

/** What a column of a payroll export can hold. */
export type PayrollField =
  | 'employeeNumber'
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'costCentre'
  | 'department'
  | 'location'
  | 'amount'
  | 'currency'
  | 'date'
  | 'reason'
  | 'giftId'
  | 'redemptionId'
  | 'type';

/** A column of the payroll exports: with `field` or with `text`. */
export interface PayrollColumn {
  /** What the first line says. */
  header: string;
  /** What the column holds. */
  field?: PayrollField;
  /** In place of `field`: the same text on each line. */
  text?: string;
}

/** A way to spend gifts. */
export interface Way {
  /** A word of the workspace; payroll is `payroll`. */
  id: string;
  /** What it is; it cannot be changed. */
  kind: WayKind;
  /** What recipients read. */
  name: string;
  /** What else recipients read. */
  description: string;
  /** Only gifts in these currencies; null: in all. */
  currencies: string[] | null;
  /** The least that can be spent at once; null: no limit. */
  minAmount: number | null;
  /** The most that can be spent at once; null: no limit. */
  maxAmount: number | null;
  /** Whether a part of a gift can be spent, or only all that is left. */
  allowsParts: boolean;
  /** Whether recipients can choose it. */
  isOn: boolean;
  /** Ways are listed by position, then by id. */
  position: number;
  /** What the tax log says about it. */
  taxType: TaxType;
  /** Of a TILL: the shop's address. */
  link: string | null;
  /** Of a POOL: the pool of codes. */
  poolId: number | null;
  /** Of PAYROLL: the columns of its exports; null: the usual ones. */
  columns: PayrollColumn[] | null;
}

/** A way to offer. What is left out gets its default. */
export type WaySetting = Pick<Way, 'kind' | 'name'> & Partial<Omit<Way, 'id' | 'kind' | 'name'>>;
