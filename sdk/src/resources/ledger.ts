import { Resource } from '../resource.ts';

/** A large workspace takes longer than other calls. */
const verificationMs = 50_000;

/** The proof that every cent is accounted for. */
export class Ledger extends Resource {
  /** Compares what is new since the latest checkpoint, and everything that can still be paid out. Without a checkpoint: everything. */
  readonly verify = this.method('GET /ledger/verify', 'query', { heldMs: verificationMs });
  /** Starts a full verification in the background, or returns the one that is waiting. */
  readonly startVerification = this.method('POST /ledger/verifications');
  /** The latest verifications that ran in the background, the newest first, with progress and outcome. */
  readonly verifications = this.method('GET /ledger/verifications');
}
