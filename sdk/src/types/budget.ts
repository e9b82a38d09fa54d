import type { Page, PageQuery } from './page.ts';

/** Whose budget it is. UNLIMITED: not a budget, but the book of the gifts that were sent without one. */
export type BudgetKind = 'WORKSPACE' | 'MEMBER' | 'UNLIMITED';

/** LOW: it has reached a threshold. EXHAUSTED: less is available than the smallest gift costs. */
export type BudgetLevel = 'ENOUGH' | 'LOW' | 'EXHAUSTED';

/** Money that is granted at once, and at the beginning of every month or year. */
export interface NewAllotment {
  /** What is granted each time. */
  amount: number;
  /** How often. */
  every: 'MONTH' | 'YEAR';
}

/** An allotment, and when it is due. */
export interface Allotment extends NewAllotment {
  /** When it is granted next. */
  nextAt: string;
}

/** What to change about a budget; fields that are left out stay as they are. */
export interface BudgetChange {
  /** The most that one gift may cost; null: no limit. */
  giftLimit?: number | null;
  /** null: none. */
  allotment?: NewAllotment | null;
  /** When the budget counts as low, in percent of what was available after the latest grant. */
  lowPercents?: number[];
}

/** A budget to set. */
export interface NewBudget extends BudgetChange {
  /** ISO 4217 code. */
  currency: string;
  /** The member who sends; absent: the workspace's own budget. */
  memberId?: number;
  /** Granted at once. */
  amount?: number;
  /** What the grant is for. */
  note?: string;
}

/** An amount to grant or to withdraw. */
export interface MoneyGrant {
  /** How much. */
  amount: number;
  /** What it is for, kept in the ledger. */
  note?: string;
}

/** The member whose budget it is. */
export interface BudgetMember {
  /** The member id. */
  id: number;
  /** The company's own number for the person. */
  employeeNumber: string | null;
  /** Empty where it is not known. */
  firstName: string;
  /** Empty where it is not known. */
  lastName: string;
}

/** A budget with its balances. granted = available + committed + issued + redeemed. */
export interface Budget {
  /** The id of the budget. */
  id: number;
  /** Whose budget it is. */
  kind: BudgetKind;
  /** Whose budget it is, if it is a member's. */
  member: BudgetMember | null;
  /** ISO 4217 code. */
  currency: string;
  /** What was granted, less what was withdrawn. */
  granted: number;
  /** What new orders can draw on. */
  available: number;
  /** Reserved for orders whose gifts are not issued yet. */
  committed: number;
  /** In gifts that are not redeemed. */
  issued: number;
  /** What recipients have redeemed. */
  redeemed: number;
  /** Issued and redeemed. */
  spent: number;
  /** Whether it is low or exhausted. */
  level: BudgetLevel;
  /** The most that one gift may cost; null: no limit. */
  giftLimit: number | null;
  /** What is granted regularly. */
  allotment: Allotment | null;
  /** When the budget counts as low, in percent of what was available after the latest grant. */
  lowPercents: number[];
  /** How many entries its chain in the ledger has. */
  entries: number;
  /** The hash of the latest entry. Keep it elsewhere, to prove later that the chain was not rewritten. */
  head: string;
  /** When it was closed; null while orders draw on it. */
  closedAt: string | null;
}

/** Which budgets to list. All filters have to match. */
export interface BudgetQuery extends PageQuery {
  /** Only budgets in this currency. */
  currency?: string;
  /** Only budgets of this member. */
  memberId?: number;
  /** true: includes budgets that were closed. */
  includeClosed?: boolean;
}

/** A page of budgets. */
export interface BudgetPage extends Page {
  /** In the order of their ids. */
  budgets: Budget[];
}

/** Where the money of a budget is. */
export type LedgerAccount = 'granted' | 'available' | 'committed' | 'issued' | 'redeemed';

/** What an entry of the ledger is about. */
export type LedgerEntryType =
  | 'OPENED'
  | 'GRANTED'
  | 'ALLOTTED'
  | 'WITHDRAWN'
  | 'COMMITTED'
  | 'RELEASED'
  | 'ISSUED'
  | 'RETURNED'
  | 'REVIVED'
  | 'REDEEMED'
  | 'REVERSED';

/** An amount that moved from one account of a budget to another. It never changes. */
export interface LedgerEntry {
  /** 1, 2, 3 … in the budget. */
  number: number;
  /** UTC, to the microsecond. */
  at: string;
  /** What it is about. */
  type: LedgerEntryType;
  /** The account from which the amount is taken. */
  source: LedgerAccount;
  /** The account to which it goes. */
  target: LedgerAccount;
  /** How much. */
  amount: number;
  /** How many orders or gifts it is about. */
  lines: number;
  /** What a grant is for. */
  note: string | null;
  /** The hash of the entry before; zeros before the first. */
  previous: string;
  /** SHA-256 of the fields of the entry and of the hash before. */
  hash: string;
}

/** An order or a gift that an entry is about. */
export interface LedgerLine {
  /** The order. */
  requestId: string;
  /** Which gift of the order, from 0 on; null: all of them. */
  position: number | null;
  /** What it costs. */
  amount: number;
}

/** An entry with everything that its hash is made of. */
export interface LedgerEntryDetails extends LedgerEntry {
  /** The orders or gifts that it is about. */
  orders: LedgerLine[];
  /** The text of which `hash` is the SHA-256. */
  text: string;
}

/** A page of entries. */
export interface LedgerEntryPage extends Page {
  /** The newest first. */
  entries: LedgerEntry[];
}

/** The balance of the workspace's budget. */
export interface WorkspaceBalance {
  /** What the budget holds, with what is reserved for orders under way. */
  balance: number;
  /** What new orders can draw on. */
  amount: number;
  /** ISO 4217 code. */
  currency: string;
}

/** The balance of a member's budget. */
export interface MemberBalance {
  /** What new orders of the member can draw on. */
  amount: number;
  /** ISO 4217 code. */
  currency: string;
}

/** The balance of one member among others. */
export interface MemberBalanceResponse {
  /** What new orders of the member can draw on. */
  amount: number;
  /** The company's own number for the person. */
  employeeNumber: string | null;
  /** The member id. */
  user: number;
}

/** A page of members' balances. */
export interface MemberBalancePage extends Page {
  /** In the order of member ids. */
  memberBalanceResponses: MemberBalanceResponse[];
}
