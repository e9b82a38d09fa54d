/** What has become of a gift. */
export type GiftState = 'ISSUED' | 'CLAIMED' | 'PARTLY_REDEEMED' | 'REDEEMED' | 'EXPIRED' | 'CANCELLED';

/** What has become of the mail about a gift. SENT: a mail server has taken it; whether it arrived is not known. */
export type GiftDelivery = 'NONE' | 'SCHEDULED' | 'QUEUED' | 'SENT' | 'DEFERRED' | 'FAILED' | 'NO_ADDRESS';

/** The person who gets a gift. */
export interface GiftRecipient {
  /** The member id. */
  id: number;
  /** Empty where it is not known. */
  firstName: string;
  /** Empty where it is not known. */
  lastName: string;
  /** The address in the directory. */
  email: string | null;
  /** The company's own number for the person. */
  employeeNumber: string | null;
}

/** A gift and where it stands. Its tokens are in the record of its order alone. */
export interface Gift {
  /** The id of its certificate. */
  id: number;
  /** The requestId of its order. */
  requestId: string;
  /** The reference of your own that came with the order. */
  customerRequestId: string | null;
  /** What has become of it. */
  state: GiftState;
  /** What has become of its mail. */
  delivery: GiftDelivery;
  /** Where its mail goes: the recipient's e-mail address, or the one that it was corrected to. */
  address: string | null;
  /** 0, and one more each time that its tokens were replaced. */
  edition: number;
  /** What it is worth. */
  amount: number;
  /** How much of it the recipient has spent. */
  redeemed: number;
  /** ISO 4217 code. */
  currency: string;
  /** The text sent with it. */
  message: string;
  /** What it is for. */
  reason: string;
  /** Language and region of its mail and its page, as EN_CA. */
  language: string;
  /** The member id that the token of its order acts as. */
  senderId: number;
  /** The name on that token, else of the workspace. */
  senderName: string;
  /** Who gets it. */
  recipient: GiftRecipient;
  /** When its order was accepted. Lists are sorted and filtered by it. */
  orderedAt: string;
  /** When it was issued. */
  issuedAt: string;
  /** When its mail is sent, or tried again; null unless the mail waits. */
  dueAt: string | null;
  /** When a mail server has taken its mail last. */
  sentAt: string | null;
  /** When its page was opened first, by a person or a mail scanner. */
  viewedAt: string | null;
  /** When the recipient has accepted it. */
  claimedAt: string | null;
  /** The end of the last day on which it can be claimed; null: for good. */
  expiresAt: string | null;
  /** What the recipient wrote to the sender. */
  thanks: string | null;
}

/** Something that happened to a gift. */
export interface TimelineEntry {
  /** ISSUED, SENT, CLAIMED and so on. More may be added. */
  type: string;
  /** When it happened. */
  at: string;
  /** What else is known, for instance `answer`: what the mail server said, and `by`: who asked for it. */
  detail: Record<string, unknown>;
}

/** A gift with everything that happened to it. */
export interface GiftDetails extends Gift {
  /** When the next reminder is sent, if the gift is not claimed before; null: none is planned. */
  reminderAt: string | null;
  /** What happened, in the order of time. */
  timeline: TimelineEntry[];
}

/** Which gifts to list. All filters have to match. */
export interface GiftQuery {
  /** Only gifts in this state. */
  state?: GiftState;
  /** Only gifts whose mail stands there. */
  delivery?: GiftDelivery;
  /** Only gifts to the member with this id. */
  member?: number;
  /** Only gifts of this order. */
  requestId?: string;
  /** Words. Each must occur in the recipient's name, e-mail address or employee number, ignoring case. */
  search?: string;
  /** Only gifts ordered from this day (2026-11-02, in the workspace's time zone) or moment on. */
  from?: string;
  /** Only gifts ordered up to the end of this day, or before this moment. */
  to?: string;
  /** Only gifts that can be claimed until this moment at most. */
  expiresBefore?: string;
  /** How many gifts a page holds, from 1 to 1,000; 20 when absent. */
  size?: number;
  /** The `next` of the page before. From the newest gift when absent. */
  after?: number;
}

/** A page of gifts, and where to go on. */
export interface GiftPage {
  /** The newest first. A page can have fewer than `size` though more follow. */
  gifts: Gift[];
  /** Send it as `after` to read on; null at the end. */
  next: number | null;
}

/** Where a gift goes instead. */
export interface GiftCorrection {
  /** The right e-mail address. */
  email: string;
}

/** Until when a gift can be claimed. */
export interface GiftExtension {
  /** The last day, as 2027-03-31, in the workspace's time zone; null: for good. */
  expiresOn: string | null;
}

/** Which gifts to print: those of an order, or those with these ids. */
export interface PrintQuery {
  /** The gifts of this order. */
  requestId?: string;
  /** Up to 1,000 ids of gifts. */
  ids?: readonly number[];
  /** How many gifts stand on a page; 1 when absent. */
  perPage?: 1 | 8;
}
