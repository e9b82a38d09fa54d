import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { LedgerVerification, LedgerVerificationRun, LedgerVerificationRuns, VerificationQuery } from '../types.ts';

/** A large workspace takes longer than other calls. */
const verificationMs = 50_000;

/** The proof that every cent is accounted for. */
export class Ledger extends Resource {
  /** Compares what is new since the latest checkpoint, and everything that can still be paid out. Without a checkpoint: everything. */
  verify(query: VerificationQuery = {}, options: CallOptions = {}): Promise<LedgerVerification> {
    return this.call('GET /ledger/verify', { query, heldMs: verificationMs }, options);
  }

  /** Starts a full verification in the background, or returns the one that is waiting. */
  startVerification(options: CallOptions = {}): Promise<LedgerVerificationRun> {
    return this.call('POST /ledger/verifications', {}, options);
  }

  /** The latest verifications that ran in the background, the newest first, with progress and outcome. */
  verifications(options: CallOptions = {}): Promise<LedgerVerificationRuns> {
    return this.call('GET /ledger/verifications', {}, options);
  }
}
