/** A token to make. Without scopes it gets all that the caller has, except those that let others in. */
export interface NewToken {
  /** What it is for. It is the sender's name on its gifts. */
  name: string;
  /** What it may do. Nobody gives a token more than they may do themselves. */
  scopes?: string[];
  /** E-mail, employee number or id of the member it acts as; if absent, a member of its own. */
  member?: string;
  /** After how many days it ends; if absent, never. */
  expiresInDays?: number;
  /** Requests per minute; if absent, no limit. */
  rateLimitPerMinute?: number;
}

/** An API token, without its secret. */
export interface Token {
  /** Identifies the token. */
  id: number;
  /** What it is for. */
  name: string | null;
  /** The last four characters of its secret. */
  hint: string;
  /** What it may do. */
  scopes: string[];
  /** The workspaces that it may use. */
  workspaces: number[];
  /** Requests per minute; null: no limit. */
  rateLimitPerMinute: number | null;
  /** When it was made. */
  createdAt: string;
  /** When it ends; null: never. */
  expiresAt: string | null;
  /** When it was revoked; null: it was not. */
  revokedAt: string | null;
}

/** An API token with its secret. */
export interface TokenWithSecret extends Token {
  /** The secret. It is shown this once. */
  token: string;
}

/** How a token gets a new secret. */
export interface TokenRotation {
  /** How long the old secret still works; 0 when absent: it ends at once. */
  overlapHours?: number;
}

/** Which tokens to list. */
export interface TokenQuery {
  /** Only tokens that work, or only those that were revoked or have expired. */
  state?: 'ACTIVE' | 'ENDED';
  /** Tokens on a page; 50 when absent. */
  size?: number;
  /** The `next` of the page before. */
  after?: number;
}

/** A page of tokens. */
export interface TokenPage {
  /** The newest first. */
  tokens: Token[];
  /** Where the next page begins; null on the last page. */
  next: number | null;
}
