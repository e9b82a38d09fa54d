import { type KeyOptions, keyOf, type Replayed, withReplayed } from '../idempotency.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { PayrollExport, PayrollPage, PayrollQuery } from '../types.ts';

/** An export of a hundred thousand lines takes longer than other calls. */
const closingMs = 10 * 60_000;

/** What is paid with the salary, as closed files. */
export class Payroll {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Closes an export: all redemptions by payroll that no export has, and the reversals of those that one has. */
  async close(options: KeyOptions = {}): Promise<PayrollExport & Replayed> {
    const key = { idempotencyKey: keyOf(options) };
    const call = { method: 'POST', path: '/payroll-exports', ...key, heldMs: closingMs } as const;
    return withReplayed(await this.#transport.json<PayrollExport>({ ...call, signal: options.signal }), options);
  }

  /** A page of closed exports, the newest first. */
  async list(query: PayrollQuery = {}, { signal }: CallOptions = {}): Promise<PayrollPage> {
    return (await this.#transport.json<PayrollPage>({ method: 'GET', path: '/payroll-exports', query, signal })).body;
  }

  /** What an export holds. */
  async get(number: number, { signal }: CallOptions = {}): Promise<PayrollExport> {
    const call = { method: 'GET', path: `/payroll-exports/${number}`, signal } as const;
    return (await this.#transport.json<PayrollExport>(call)).body;
  }

  /** The CSV file of an export: always the same byte for byte. */
  csv(number: number, { signal }: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const headers = { Accept: 'text/csv' };
    return this.#transport.bytes({ method: 'GET', path: `/payroll-exports/${number}`, headers, signal });
  }
}
