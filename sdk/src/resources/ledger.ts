import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { LedgerVerification, VerificationQuery } from '../types.ts';

/** A large workspace takes longer than other calls. */
const verificationMs = 50_000;

/** The proof that every cent is accounted for. */
export class Ledger extends Resource {
  /** Compares chains, balances, orders and gifts of the workspace. A large workspace takes some seconds. */
  verify(query: VerificationQuery = {}, options: CallOptions = {}): Promise<LedgerVerification> {
    return this.call('GET /ledger/verify', { query, heldMs: verificationMs }, options);
  }
}
