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

/** An order and how far it has come, without its gifts. */
export interface OrderSummary extends OrderRequestStatus {
  /** The name on the token that ordered, else of the workspace. */
  senderName: string;
  /** When it was accepted. */
  acceptedAt: string;
  /** When it was completed or failed; null until then. */
  finishedAt: string | null;
  /** How many gifts were ordered. */
  gifts: number;
  /** The sum of their amounts. */
  total: number;
  /** ISO 4217 code. */
  currency: string;
  /** Why it has failed; null otherwise. */
  failure: string | null;
}

/** Which orders to list. All filters have to match. */
export interface OrderListQuery {
  /** Only orders with this requestStatus. */
  status?: OrderRequestStatus['requestStatus'];
  /** Only orders accepted from this day (2026-11-02, in the workspace's time zone) or moment on. */
  from?: string;
  /** Only orders accepted up to the end of this day, or before this moment. */
  to?: string;
  /** How many orders a page holds, from 1 to 1,000; 20 when absent. */
  size?: number;
  /** The `next` of the page before. From the newest order when absent. */
  after?: string;
}

/** A page of orders, and where to go on. */
export interface OrderPage {
  /** The newest first. A page can have fewer than `size` though more follow. */
  orders: OrderSummary[];
  /** Send it as `after` to read on; null at the end. */
  next: string | null;
}

/** One gift as it was ordered. The person is as the order names them. */
export interface OrderLine {
  /** The id of its gift; null until the order is completed. */
  giftId: number | null;
  /** As the order says. */
  firstName: string | null;
  /** As the order says. */
  lastName: string | null;
  /** As the order says. */
  email: string | null;
  /** As the order says. */
  employeeNumber: string | null;
  /** What it is worth. */
  amount: number;
  /** The text sent with it. */
  message: string;
}

/** An order with a page of its lines, as it was sent. It has no secret tokens. */
export interface OrderDetails extends OrderSummary, Page {
  /** The lines on this page, in the order of `orderItems`. */
  lines: OrderLine[];
}
