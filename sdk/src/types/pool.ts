/** A pool to add. */
export interface NewPool {
  /** Unique in a workspace, ignoring case. */
  name: string;
  /** ISO 4217 code. */
  currency: string;
  /** How few codes of a retailer and value count as low: an event `pool.low`. */
  lowAt?: number;
}

/** What to change about a pool; fields that are left out stay as they are. */
export interface PoolChange {
  /** Unique in a workspace, ignoring case. */
  name?: string;
  /** How few codes of a retailer and value count as low. */
  lowAt?: number;
}

/** What a pool has of one retailer and value. */
export interface PoolStock {
  /** Whose codes. */
  retailer: string;
  /** What a code is worth. */
  value: number;
  /** Codes that can be given. */
  left: number;
  /** Codes that recipients have. */
  given: number;
  /** Codes that expired before anybody got them. */
  expired: number;
}

/** Codes of shops that recipients can spend their gifts on. What a code says is never returned here. */
export interface Pool {
  /** Its id. */
  id: number;
  /** What the company calls it. */
  name: string;
  /** ISO 4217 code. */
  currency: string;
  /** How few codes of a retailer and value count as low. */
  lowAt: number;
  /** By retailer, then by value. */
  stocks: PoolStock[];
}

/** Which codes to remove. */
export interface CodeRemoval {
  /** Only codes of this retailer. */
  retailer?: string;
  /** Only codes that are worth this. */
  value?: number;
}

/** What came of a removal of codes. */
export interface RemovedCodes {
  /** How many codes were removed. */
  removed: number;
  /** The pool without them. */
  pool: Pool;
}

/** What came of a file of codes. */
export interface AddedCodes {
  /** How many codes were added. */
  added: number;
  /** The pool with them. */
  pool: Pool;
}
