import type { GiftRecipient } from './gift.ts';

/** Something for which an order would be refused. */
export interface OrderFault {
  /** Where it is, as `orderItems[2].recipient.email`; null for what concerns the order as a whole. */
  path: string | null;
  /** The position of the gift at fault in `orderItems`; null for what concerns all of them. */
  item: number | null;
  /** What is wrong, as `must be an e-mail address`. */
  problem: string;
}

/** A gift of the same amount that the same person got lately. */
export interface GiftTwin {
  /** The id of its certificate. */
  id: number;
  /** When it was issued, as 2026-11-02T14:03:27.498Z. */
  issuedAt: string;
}

/**
 * Who a recipient is. FOUND: a member. NEW: somebody whom the order adds. LEFT: a member who has left. UNKNOWN: an employee number
 * that nobody has, in a workspace that refuses those. INVALID: the recipient is at fault.
 */
export type RecipientOutcome = 'FOUND' | 'NEW' | 'LEFT' | 'UNKNOWN' | 'UNSEEN' | 'INVALID';

/** What would become of one gift. */
export interface OrderItemValidation {
  /** Who the recipient is. */
  outcome: RecipientOutcome;
  /** The member; null where there is none yet. */
  member: GiftRecipient | null;
  /** Where the mail about the gift would go; null: it cannot be mailed, and has to be printed. */
  address: string | null;
  /** The position of the first gift of this order to the same person; null where this is the first. */
  sameAs: number | null;
  /** The latest gift of the same amount and currency that this person was sent in the last 30 days. */
  twin: GiftTwin | null;
}

/** The budget on which an order would draw. */
export interface OrderBudget {
  /** What is there for new orders. */
  available: number;
  /** What this order would leave; negative: by how much it does not fit. */
  left: number;
  /** The most that one gift may cost; null: no limit. */
  giftLimit: number | null;
  /** true: the sender's own budget. false: the workspace's. */
  isOwn: boolean;
}

/** What would become of an order. */
export interface OrderValidation {
  /** Whether the order would be accepted now. */
  valid: boolean;
  /** How many gifts it has. */
  gifts: number;
  /** Null where it is at fault. */
  currency: string | null;
  /** The sum of the amounts that are not at fault. */
  total: number;
  /** The budget on which it would draw; null: nothing limits what it costs. */
  budget: OrderBudget | null;
  /** Why the order would be refused. */
  faults: OrderFault[];
  /** How many gifts, or people, of each kind. */
  counts: OrderValidationCounts;
  /** One for each gift, in the order of `orderItems`. */
  items: OrderItemValidation[];
}

/** How many gifts, or people, of each kind an order has. */
export interface OrderValidationCounts {
  /** Gifts with a fault. */
  atFault: number;
  /** Gifts to members. */
  found: number;
  /** People whom the order adds to the directory. */
  added: number;
  /** Gifts to people who have left. */
  left: number;
  /** Gifts to a person who has another one in this order. */
  repeated: number;
  /** Gifts that have a twin. */
  twins: number;
  /** Gifts that cannot be mailed. */
  withoutAddress: number;
}
