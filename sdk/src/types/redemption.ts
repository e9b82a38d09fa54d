import type { Actor } from './audit.ts';
import type { GiftRecipient, GiftState } from './gift.ts';
import type { TaxType, WayKind } from './way.ts';

/** REQUESTED: somebody has to fulfil it. DONE: it is spent. REVERSED and DECLINED: the gift has the amount back. */
export type RedemptionState = 'REQUESTED' | 'DONE' | 'REVERSED' | 'DECLINED';

/** A gift, or a part of it, that was spent. */
export interface Redemption {
  /** Its id. */
  id: number;
  /** The id of the gift. */
  giftId: number;
  /** The requestId of its order. */
  requestId: string;
  /** What has become of it. */
  state: RedemptionState;
  /** How it was spent. */
  kind: WayKind;
  /** The id of the way. */
  way: string;
  /** What the way was called then. */
  wayName: string;
  /** What the tax log says about it. */
  taxType: TaxType;
  /** Where it was spent, if known. */
  retailer: string | null;
  /** How much. */
  amount: number;
  /** ISO 4217 code. */
  currency: string;
  /** What is left of the gift now. */
  left: number;
  /** The till's reference. */
  reference: string | null;
  /** What the recipient wishes, in their own words. */
  wish: string | null;
  /** What was said when it was fulfilled, declined or reversed. */
  note: string | null;
  /** Whose gift it is. */
  recipient: GiftRecipient;
  /** When it was spent. */
  redeemedAt: string;
  /** Who redeemed it at a till; null: the recipient did, on the page of the gift, or it is older than this field. */
  redeemedBy: Actor | null;
  /** When it got its state; null while it is REQUESTED. */
  finishedAt: string | null;
  /** Who fulfilled, declined, reversed or voided it; null: no caller did, or it is older than this field. */
  finishedBy: Actor | null;
  /** The number of the payroll export that pays it. */
  payrollExport: number | null;
}

/** Which redemptions to list. */
export interface RedemptionQuery {
  /** Only redemptions in this state. */
  state?: RedemptionState;
  /** Only redemptions of this kind. */
  kind?: WayKind;
  /** Only redemptions of the way with this id. */
  way?: string;
  /** Only redemptions of the gift with this id. */
  gift?: number;
  /** Only redemptions from this day or moment on. */
  from?: string;
  /** Only redemptions up to the end of this day, or before this moment. */
  to?: string;
  /** How many redemptions a page holds, from 1 to 1,000; 20 when absent. */
  size?: number;
  /** The `next` of the page before. */
  after?: number;
}

/** A page of redemptions, and where to go on. */
export interface RedemptionPage {
  /** The newest first. */
  redemptions: Redemption[];
  /** Send it as `after` to read on; null at the end. */
  next: number | null;
}

/** A code that somebody shows at a till. */
export interface TillCheck {
  /** The short token as it is typed, or the long one of the link. */
  token: string;
}

/** What a till has to know about a gift. */
export interface CheckedGift {
  /** The id of the gift. */
  giftId: number;
  /** Whether something can be redeemed at a till now. */
  isGood: boolean;
  /** Why not; null if it is good. */
  problem: string | null;
  /** What has become of the gift. */
  state: GiftState;
  /** What it was worth when it was issued. */
  amount: number;
  /** What is left of it. */
  left: number;
  /** ISO 4217 code. */
  currency: string;
  /** Until when it can be claimed; null: for good. */
  expiresAt: string | null;
}

/** What is to be redeemed at a till. */
export interface TillRedemption {
  /** The short token as it is typed, or the long one of the link. */
  token: string;
  /** How much of the gift; absent: all that is left. */
  amount?: number;
  /** Of your own, for instance the number of the receipt. */
  reference?: string;
  /** The id of a way of the kind TILL; absent: the first one that takes gifts in this currency. */
  way?: string;
}
