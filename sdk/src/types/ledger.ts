/** Something that does not agree. */
export interface LedgerFault {
  /** The budget at fault, if it is one. */
  budgetId: number | null;
  /** The entry at fault, if it is one. */
  number: number | null;
  /** What does not agree. */
  problem: string;
}

/** What a comparison of chains, balances, orders and gifts has found. */
export interface LedgerVerification {
  /** Whether every cent is accounted for. */
  agrees: boolean;
  /** When it was verified. */
  at: string;
  /** How many chains have entries: one for each budget. */
  chains: number;
  /** How many entries they have. */
  entries: number;
  /** What does not agree. Of many faults, the first ones. */
  faults: LedgerFault[];
}

/** What else to check. */
export interface VerificationQuery {
  /** The hash of an entry that you have kept. It must be the hash of an entry still. */
  head?: string;
}
