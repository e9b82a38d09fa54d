import type { accounts, entryTypes } from '../../ground/contract/ledger-entry.ts';

/** Where the money of a book is. Every entry moves an amount from one account to another. */
export type LedgerAccount = (typeof accounts)[number];
export type EntryType = (typeof entryTypes)[number];

/** Every type of entry, and between which accounts it moves money. A module that moves money in another way adds a line here. */
const moves = {
  /** Gifts that were issued before the ledger began. */
  OPENED: ['granted', 'issued'],
  GRANTED: ['granted', 'available'],
  ALLOTTED: ['granted', 'available'],
  WITHDRAWN: ['available', 'granted'],
  /** A period has ended, and what was available is gone. */
  LAPSED: ['available', 'granted'],
  /** Orders were accepted. */
  COMMITTED: ['available', 'committed'],
  /** Orders failed. */
  RELEASED: ['committed', 'available'],
  /** The gifts of orders were issued. */
  ISSUED: ['committed', 'issued'],
  /** Gifts have expired or were cancelled. */
  RETURNED: ['issued', 'available'],
  /** Gifts that had expired can be claimed again. */
  REVIVED: ['available', 'issued'],
  /** Recipients have spent gifts, or parts of them. */
  REDEEMED: ['issued', 'redeemed'],
  /** Recipients have that back. */
  REVERSED: ['redeemed', 'issued'],
} as const satisfies Record<EntryType, readonly [LedgerAccount, LedgerAccount]>;

/** In a book without a limit, money comes from and goes back to the grants themselves: nothing is set aside. */
export function accountsOf(type: EntryType, isUnlimited: boolean): readonly [LedgerAccount, LedgerAccount] {
  const [source, target] = moves[type];
  const without = (account: LedgerAccount) =>
    isUnlimited && (account === 'available' || account === 'committed') ? 'granted' : account;
  return [without(source), without(target)];
}

/** The side of an entry with which an account grows. Grants are where money comes from: that account grows when money leaves it. */
const growsAs = (account: LedgerAccount) => (account === 'granted' ? 'source' : 'target');

/**
 * What the entry `e` changes a balance by, as an SQL expression. Posting and verification share it: a wrong sign would be wrong in both,
 * so the tests of the ledger name the balances that they expect.
 */
export function changeOf(account: LedgerAccount, e: string): string {
  const [grows, shrinks] = growsAs(account) === 'source' ? ['source', 'target'] : ['target', 'source'];
  return `case '${account}' when ${e}.${grows} then ${e}.amount when ${e}.${shrinks} then -${e}.amount else 0 end`;
}

/** The same for one of two accounts that are known before. */
export function changeBetween(account: LedgerAccount, [source]: readonly LedgerAccount[], e: string): string {
  return (growsAs(account) === 'source') === (account === source) ? `${e}.amount` : `-${e}.amount`;
}

/** The columns of an entry that its hash is made of, as SQL expressions. */
export interface EntryColumns {
  previous: string;
  workspaceId: string;
  budgetId: string;
  currency: string;
  number: string;
  at: string;
  type: string;
  source: string;
  target: string;
  amount: string;
  requests: string;
  positions: string;
  amounts: string;
  detail: string;
}

/**
 * The hash of an entry, as an SQL expression: SHA-256 of its fields, a line for each. Docs/money.md shows the text, so that others
 * can compute it. Made in SQL, because acceptance posts entries in the statement that stores the orders.
 */
export function entryHash(entry: EntryColumns): string {
  return `sha256(convert_to(${entryText(entry)}, 'UTF8'))`;
}

export function entryText(e: EntryColumns): string {
  const lines = [
    `'giftwire ledger 1'`,
    `encode(${e.previous}, 'hex')`,
    e.workspaceId,
    e.budgetId,
    e.currency,
    e.number,
    `to_char(${e.at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    e.type,
    e.source,
    e.target,
    `${e.amount}::numeric(20, 4)`,
    `array_to_string(${e.requests}, ',')`,
    `array_to_string(${e.positions}, ',')`,
    `array_to_string(${e.amounts}, ',')`,
    `${e.detail}::text`,
  ];
  return `concat_ws(E'\\n', ${lines.join(', ')})`;
}
