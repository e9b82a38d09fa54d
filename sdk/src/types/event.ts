import type { Actor } from './audit.ts';

interface OrderData {
  /** The requestId of the order. */
  requestId: string;
  /** The reference of your own that came with the order. */
  customerRequestId: string | null;
}

interface GiftData {
  /** The id of the gift: of its certificate. */
  giftId: number;
  /** The requestId of the order. */
  requestId: string;
  /** The member who gets the gift. */
  memberId: number;
}

interface GiftActionData extends GiftData {
  /** The caller who did it; absent: the recipient did, or the event is older than this field. Events hold no names. */
  by?: Omit<Actor, 'name'>;
}

interface RedemptionData extends GiftActionData {
  /** The id of the redemption. */
  redemptionId: number;
  /** How it is spent. */
  kind: 'PAYROLL' | 'POOL' | 'HAND' | 'TILL';
  /** The id of the way to spend. */
  way: string;
  /** How much of the gift it is. */
  amount: number;
  /** ISO 4217 code. */
  currency: string;
}

interface PoolStockData {
  /** The id of the pool. */
  poolId: number;
  /** Whose codes. */
  retailer: string;
  /** What a code is worth. */
  value: number;
  /** ISO 4217 code. */
  currency: string;
  /** Codes that can be given. */
  left: number;
}

interface BudgetData {
  /** The id of the budget. */
  budgetId: number;
  /** The member whose budget it is; null: the workspace's. */
  memberId: number | null;
  /** ISO 4217 code. */
  currency: string;
  /** What new orders can draw on. */
  available: number;
}

interface MemberData {
  /** The id of the member. */
  id: number;
}

interface ShoutoutDecidedData {
  /** The id of the shoutout. */
  id: number;
  /** The member who decided. */
  decidedBy: number;
}

/** Every type of event, and the data that comes with it. */
export interface EventData {
  /** The gifts of an order were issued. */
  'order.completed': OrderData & { orderId: number; gifts: number; total: number; currency: string };
  /** An order failed: no gift of it was issued. */
  'order.failed': OrderData;
  /** Somebody said thanks. */
  'shoutout.given': { id: number; senderId: number; receiverId: number; status: 'PENDING' | 'APPROVED' };
  /** A shoutout that waited for approval was approved. */
  'shoutout.approved': ShoutoutDecidedData;
  /** A shoutout that waited for approval was declined. */
  'shoutout.declined': ShoutoutDecidedData;
  /** Somebody was added to the directory. */
  'member.added': MemberData;
  /** A field, the manager or the team of a member changed. */
  'member.changed': MemberData;
  /** A member left the company. */
  'member.left': MemberData;
  /** A member who had left came back. */
  'member.returned': MemberData;
  /** Two records of one person became one; `into` is the one that stays. */
  'member.merged': MemberData & { into: number };
  /** A file of people was imported. It stands for all the changes of that import. */
  'members.imported': {
    importId: string;
    added: number;
    changed: number;
    left: number;
    returned: number;
    complete: boolean;
  };
  /** The mail about a gift was handed to the mail server. */
  'gift.sent': GiftData;
  /** The mail about a gift was refused for good, or came back. */
  'gift.delivery_failed': GiftActionData & { status: string };
  /** The page of a gift was opened for the first time, by a person or a mail scanner. */
  'gift.viewed': GiftData;
  /** The recipient has claimed the gift, on its page or at a till. */
  'gift.claimed': GiftActionData;
  /** The recipient has written a note of thanks. */
  'gift.thanked': GiftData;
  /** A reminder of a gift that nobody has claimed was handed to the mail server. */
  'gift.reminded': GiftData;
  /** A gift got new tokens: its earlier link and code have ended. */
  'gift.reissued': GiftActionData & { edition: number };
  /** A gift can be claimed for longer; `expiresAt` null: for good. */
  'gift.extended': GiftActionData & { expiresAt: string | null };
  /** A gift was not claimed in time. */
  'gift.expired': GiftData;
  /** A gift was cancelled before anybody claimed it. */
  'gift.cancelled': GiftActionData;
  /** The recipient has spent a gift or a part of it. */
  'gift.redeemed': RedemptionData;
  /** A redemption was reversed or declined: its amount can be spent again. */
  'gift.redemption_reversed': RedemptionData;
  /** A recipient asks for something that somebody has to fulfil or decline. */
  'redemption.requested': RedemptionData;
  /** Somebody has fulfilled what a recipient asked for. */
  'redemption.fulfilled': RedemptionData;
  /** Somebody has declined what a recipient asked for. */
  'redemption.declined': RedemptionData;
  /** Money was granted to a budget, by somebody or because an allotment was due. */
  'budget.granted': BudgetData & { amount: number };
  /** What is left in a budget has fallen to a threshold, a percentage of what was there after the latest grant. */
  'budget.low': BudgetData & { threshold: number };
  /** Less than the smallest gift is left in a budget. */
  'budget.exhausted': BudgetData;
  /** Few codes of a retailer and value are left in a pool. */
  'pool.low': PoolStockData;
  /** No code of a retailer and value is left in a pool. */
  'pool.empty': PoolStockData;
  /** A webhook gets no more events. */
  'webhook.disabled': { id: number; reason: 'GONE' | 'FAILING' | 'BY_HAND' };
}

/** What an event is about. A newer service may send types that this list does not have yet. */
export type EventType = keyof EventData;

/** An event of one type. */
export interface EventOf<Type extends EventType> {
  /** `evt_`, the workspace and the number. Two deliveries of one event have the same id. */
  id: string;
  /** 1, 2, 3 … in the workspace, in the sequence of commits. */
  number: number;
  /** UTC, as 2026-11-02T14:03:27.512Z. */
  timestamp: string;
  /** The workspace in which it happened. */
  workspaceId: number;
  /** What it is about. */
  type: Type;
  /** What belongs to the type: ids, states, amounts; never a gift token, a message, a name or an address. */
  data: EventData[Type];
}

/** Something that happened in a workspace. Its `type` says which data it has. */
export type GiftwireEvent = { [Type in EventType]: EventOf<Type> }[EventType];

/** Which events to read. */
export interface EventQuery {
  /** The number of the last event that you have. From the oldest one when absent. */
  after?: number;
  /** How many events a page holds, from 1 to 1,000; 20 when absent. */
  size?: number;
  /** Only these types. */
  types?: readonly EventType[];
  /** How many seconds to wait for the next event where there is none yet: up to 30; 0 when absent. */
  wait?: number;
}

/** Events, and where to go on. */
export interface EventPage {
  /** The oldest first. */
  events: GiftwireEvent[];
  /** The number to ask with as `after` next time. */
  next: number;
  /** The number of the latest event in the workspace; 0 before the first. */
  latest: number;
  /** The history of the database. It changes when the database was restored: events may be lost then, and numbers continue far ahead. */
  history: string;
}
