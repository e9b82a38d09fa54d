import type { CallOptions, Transport } from '../transport.ts';
import type { AuditPage, AuditQuery } from '../types.ts';

/** Who did what. */
export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A page of the audit log, the latest first. */
  async read(query: Omit<AuditQuery, 'bom'> = {}, { signal }: CallOptions = {}): Promise<AuditPage> {
    return (await this.#transport.json<AuditPage>({ method: 'GET', path: '/audit', query, signal })).body;
  }

  /** All entries that fit, as a CSV file. */
  csv(
    query: Omit<AuditQuery, 'size' | 'after'> = {},
    { signal }: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ method: 'GET', path: '/audit', query, headers: { Accept: 'text/csv' }, signal });
  }
}
