import { Resource } from '../resource.ts';

/** A large workspace takes longer than other calls. */
const verificationMs = 50_000;

/** Who did what. */
export class Audit extends Resource {
  /** A page of the audit log, the latest first. */
  readonly list = this.method('GET /audit', 'query');
  /** All entries that fit, as a CSV file. */
  readonly csv = this.file('GET /audit', 'query');
  /** Compares every entry with its hash, and with the hash of the entry before. */
  readonly verify = this.method('GET /audit/verify', 'query', { heldMs: verificationMs });
  /** @deprecated Use `list`. */
  readonly read = this.list;
}
