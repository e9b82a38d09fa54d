import type { Page } from './page.ts';
import type { Recipient } from './person.ts';

/** One gift to one person. */
export interface OrderItem {
  /** The text sent with the gift: 1 to 1,000 characters. */
  message: string;
  /** From 1 to 10,000, with at most the currency's minor digits (CAD 2, JPY 0). */
  amount: number;
  /** The person who gets the gift. */
  recipient: Recipient;
  /** One of the workspace's reasons; the default reason when absent. */
  reasonId?: number | null;
}

/** An order of 1 to 1,000 gifts. */
export interface OrderRequest {
  /** The gifts. */
  orderItems: OrderItem[];
  /** A current ISO 4217 code, as CAD. */
  currency: string;
  /** Language and region, as EN_CA; the workspace's language when absent. */
  language?: string | null;
  /** When the gifts are mailed, as 2026-12-24T09:00:00-05:00, up to a year ahead; at once when absent. They are issued at once. */
  deliverAt?: string | null;
}

/** How far an order request has come. */
export interface OrderRequestStatus {
  /** Identifies the order request: a UUID. */
  requestId: string;
  /** ACCEPTED until the gifts are issued, then COMPLETED or FAILED. */
  requestStatus: 'ACCEPTED' | 'COMPLETED' | 'FAILED';
  /** The same in the words of a step. */
  orderStep: 'PENDING' | 'COMPLETED' | 'FAILED';
  /** Null until the order is completed. */
  orderId: number | null;
  /** The reference of your own that came with the order; null when there was none. */
  customerRequestId: string | null;
}

/** One issued gift. Its tokens are secrets: a person who has one of them has the gift. */
export interface Certificate {
  /** Identifies the gift. */
  id: number;
  /** ISO 4217 code. */
  currency: string;
  /** The name on the token that ordered the gift, else the workspace's. */
  senderName: string;
  /** The member id of the recipient. */
  recipientUser: number;
  /** What the gift is worth. */
  amount: number;
  /** The text sent with the gift. */
  message: string;
  /** The secret in a gift link. */
  longToken: string;
  /** The secret that a person can type. */
  shortToken: string;
}

/** An order with a page of its gifts. */
export interface OrderRecord extends Page {
  /** The id of the order; null until it is completed. */
  id: number | null;
  /** Identifies the order request: a UUID. */
  requestId: string;
  /** PENDING until the gifts are issued, then COMPLETED or FAILED. */
  state: 'PENDING' | 'COMPLETED' | 'FAILED';
  /** The same in other words. */
  status: 'INCOMPLETE' | 'COMPLETE' | 'FAILED';
  /** The gifts on this page, in the order of `orderItems`. */
  certificates: Certificate[];
}
