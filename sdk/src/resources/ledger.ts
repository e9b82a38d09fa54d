import type { CallOptions, Transport } from '../transport.ts';
import type { LedgerVerification, VerificationQuery } from '../types.ts';

/** A large workspace takes longer than other calls. */
const verificationMs = 50_000;

/** The proof that every cent is accounted for. */
export class Ledger {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Compares chains, balances, orders and gifts of the workspace. A large workspace takes some seconds. */
  async verify(query: VerificationQuery = {}, { signal }: CallOptions = {}): Promise<LedgerVerification> {
    const call = { method: 'GET', path: '/ledger/verify', query, heldMs: verificationMs, signal } as const;
    return (await this.#transport.json<LedgerVerification>(call)).body;
  }
}
