import { Resource } from '../resource.ts';

/** An export of a hundred thousand lines takes longer than other calls. */
const closingMs = 10 * 60_000;

/** What is paid with the salary, as closed files. */
export class Payroll extends Resource {
  /** Closes an export: all redemptions by payroll that no export has, and the reversals of those that one has. */
  readonly create = this.keyed('POST /payroll-exports', null, { heldMs: closingMs });
  /** A page of closed exports, the newest first. */
  readonly list = this.method('GET /payroll-exports', 'query');
  /** What the next export would hold if it were closed now. Nothing is closed. */
  readonly next = this.method('GET /payroll-exports/next', 'query');
  /** What an export holds. */
  readonly retrieve = this.method('GET /payroll-exports/{number}');
  /** The CSV file of an export: the same byte for byte each time, until lines of erased people lose their texts after the years of tax law. */
  readonly csv = this.file('GET /payroll-exports/{number}');
  /** @deprecated Use `create`. */
  readonly close = this.create;
  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
}
