import type { Activity } from './report.ts';

/** The fields to change. Those that are absent stay as they are; null clears one. */
export interface MemberChange {
  /** Up to 100 characters. */
  firstName?: string | null;
  /** Up to 100 characters. */
  lastName?: string | null;
  /** An e-mail address that nobody else has. */
  email?: string | null;
  /** An employee number that nobody else has. */
  employeeNumber?: string | null;
  /** Up to 200 characters. */
  department?: string | null;
  /** Up to 200 characters. */
  costCentre?: string | null;
  /** Up to 200 characters. */
  location?: string | null;
  /** A current ISO 4217 code. */
  currency?: string | null;
  /** The http or https URL of a picture, without a user name or password. */
  avatar?: string | null;
  /** The member id of the manager. */
  managerId?: number | null;
  /** The team's name. A new name makes a new team; null is the workspace's own team. */
  team?: string | null;
}

/** A person to add, with an e-mail address or an employee number. */
export interface NewMember extends MemberChange {}

/** When a member left. */
export interface MemberLeaving {
  /** The day, as 2026-11-02; today when absent. */
  leftOn?: string | null;
}

/** Which record remains of two. */
export interface MemberMerge {
  /** The id of the record that remains. */
  into: number;
}

/** One recognition that a member received or gave. */
export interface MemberActivity extends Activity {
  /** The id of the gift; null for a shoutout. */
  giftId: number | null;
  /** The id of the shoutout; null for a gift. */
  shoutoutId: number | null;
}

/** Which recognition to list. */
export interface MemberActivityQuery {
  /** What the member received, or what they gave; received when absent. */
  direction?: 'received' | 'given';
  /** How many a page holds, from 1 to 1,000; 20 when absent. */
  size?: number;
  /** The `next` of the page before. From the newest one when absent. */
  after?: string;
}

/** A page of a member's recognition. */
export interface MemberActivityPage {
  /** The newest first. */
  activities: MemberActivity[];
  /** Send it as `after` to read on; null at the end. */
  next: string | null;
}
