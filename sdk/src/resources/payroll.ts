import type { KeyOptions, Replayed } from '../idempotency.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { PayrollExport, PayrollPage, PayrollPreview, PayrollPreviewQuery, PayrollQuery } from '../types.ts';

/** An export of a hundred thousand lines takes longer than other calls. */
const closingMs = 10 * 60_000;

/** What is paid with the salary, as closed files. */
export class Payroll extends Resource {
  /** Closes an export: all redemptions by payroll that no export has, and the reversals of those that one has. */
  create(options: KeyOptions = {}): Promise<PayrollExport & Replayed> {
    return this.callWithKey('POST /payroll-exports', { heldMs: closingMs }, options);
  }

  /** A page of closed exports, the newest first. */
  list(query: PayrollQuery = {}, options: CallOptions = {}): Promise<PayrollPage> {
    return this.call('GET /payroll-exports', { query }, options);
  }

  /** What the next export would hold if it were closed now. Nothing is closed. */
  next(query: PayrollPreviewQuery = {}, options: CallOptions = {}): Promise<PayrollPreview> {
    return this.call('GET /payroll-exports/next', { query }, options);
  }

  /** What an export holds. */
  retrieve(number: number, options: CallOptions = {}): Promise<PayrollExport> {
    return this.call('GET /payroll-exports/{number}', { path: { number } }, options);
  }

  /** The CSV file of an export: always the same byte for byte. */
  csv(number: number, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /payroll-exports/{number}', { path: { number } }, options);
  }

  /** @deprecated Use `create`. */
  readonly close = this.create;

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
}
