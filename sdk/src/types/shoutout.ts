import type { Page, PageQuery } from './page.ts';
import type { MemberReference, Recipient } from './person.ts';
import type { Activity, UserSummary } from './report.ts';

/** A word of thanks without a gift. */
export interface ShoutoutRequest {
  /** The person who is thanked. */
  recipient: Recipient;
  /** The text: 1 to 1,000 characters. */
  message: string;
  /** One of the workspace's reasons; the default reason when absent. */
  reasonId?: number | null;
  /** Whether the reports flag it as private; false when absent. */
  isPrivate?: boolean;
  /** Who says thanks; the member that the token acts as when absent. Naming somebody needs the scope recognition:delegate. */
  sender?: MemberReference;
}

/** PENDING where the workspace asks for approval and nobody has decided yet. */
export type ShoutoutStatus = 'PENDING' | 'APPROVED' | 'DECLINED';

/** The activity record of a shoutout, with its id and who decided it, when and why. */
export interface Shoutout extends Omit<Activity, 'status'> {
  /** Identifies the shoutout in its workspace. */
  id: number;
  /** Whether it counts as recognition. */
  status: ShoutoutStatus;
  /** Null while it waits, and when it needed no decision. */
  decidedBy: UserSummary | null;
  /** UTC without a zone offset; null while nobody has decided. */
  decidedOn: string | null;
  /** The reason that came with the decision; null when there was none. */
  decisionReason: string | null;
}

/** Which shoutouts to list, and which page of them. */
export interface ShoutoutQuery extends PageQuery {
  /** PENDING when absent: those that wait for a decision. */
  status?: ShoutoutStatus;
}

/** A page of shoutouts. */
export interface ShoutoutPage extends Page {
  /** Newest first. */
  shoutouts: Shoutout[];
}

/** What comes with a decision. */
export interface Decision {
  /** Why: up to 1,000 characters. The shoutout shows it as `decisionReason`. */
  reason?: string | null;
}
