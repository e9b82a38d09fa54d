import type { Order } from './orders.ts';

// What clients write down before they send it. It is compared with the answers, and with the database at the end.

export type Verb = 'approve' | 'decline';

export interface Shoutout {
  message: string;
  recipient: { email?: string; employeeNumber?: string; firstName?: string };
}

/** A shoutout. */
export interface Praise {
  key: string;
  shoutout: Shoutout;
  id: number | null;
  /** The decision that was requested, whether or not an answer came. */
  asked: Verb | null;
  /** The last status that the service answered. */
  told: string | null;
}

/** What a recipient has chosen on the page of a gift. */
export interface Spending {
  key: string;
  giftId: number;
  option: string;
  amount: number;
  isDone: boolean;
  /** The codes of a shop that the page has shown for it. */
  codes: Set<string>;
}

/** What a person has spent of several gifts. */
export interface SpentTogether {
  key: string;
  cents: number;
  /** The id of the spending, if it was answered. */
  id: number | null;
  isRefused: boolean;
}

/** An order on the small budget. */
export interface Purchase {
  key: string;
  order: Order;
  requestId: string | null;
  /** Whether it did not fit into the budget. It was not sent again after that. */
  isRefused: boolean;
}

/** What a till has taken. */
export interface Sale {
  key: string;
  giftId: number;
  amount: number;
  /** The redemption, if the till got an answer. */
  id: number | null;
}
