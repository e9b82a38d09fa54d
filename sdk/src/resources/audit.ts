import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { AuditPage, AuditQuery } from '../types.ts';

/** Who did what. */
export class Audit extends Resource {
  /** A page of the audit log, the latest first. */
  list(query: Omit<AuditQuery, 'bom'> = {}, options: CallOptions = {}): Promise<AuditPage> {
    return this.call('GET /audit', { query }, options);
  }

  /** All entries that fit, as a CSV file. */
  csv(query: Omit<AuditQuery, 'size' | 'after'> = {}, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /audit', { query }, options);
  }

  /** @deprecated Use `list`. */
  readonly read = this.list;
}
