import type { MemberFilters } from './member.ts';
import type { Page, PageQuery } from './page.ts';

/** A person who gave, received or decided a recognition. */
export interface UserSummary {
  /** The member id. */
  id: number;
  /** The e-mail address; empty where it is not known. */
  email: string;
  /** Empty where it is not known. */
  firstName: string;
  /** Empty where it is not known. */
  lastName: string;
  /** The address of the person's picture. */
  avatar: string;
  /** The same value as `avatar`, under the name that the interface document prints. */
  'the service': string;
  /** True for the member that the calling token acts as. */
  self: boolean;
}

/** What a person was recognized for. */
export interface ActivityReason {
  /** Identifies the reason. */
  id: number;
  /** Its text. */
  description: string;
}

/** One recognition: a gift or a shoutout. */
export interface Activity {
  /** PENDING for a shoutout that waits for approval. */
  status: 'PENDING' | 'APPROVED';
  /** Who gave it. */
  sender: UserSummary;
  /** Who got it. */
  receiver: UserSummary;
  /** UTC without a zone offset, as 2026-11-02T14:03:27.512345. */
  createdOn: string;
  /** The text that came with it. */
  description: string;
  /** What it was for. */
  reason: ActivityReason;
  /** Whether the giver asked for it not to be shown around. */
  isPrivate: boolean;
  /** Which of the two it is. */
  type: 'GIFT' | 'SHOUTOUT';
  /** The account that owns the workspace. */
  account: number;
  /** The receiver's team. */
  team: number;
}

/** A page of activities. */
export interface TeamActivityPage extends Page {
  /** Newest first. */
  activities: Activity[];
}

/** A member of the report, by address and name. */
export interface TeamMember {
  /** The e-mail address; empty where it is not known. */
  email: string;
  /** Empty where it is not known. */
  firstName: string;
  /** Empty where it is not known. */
  lastName: string;
}

/** A member, with the day and the kind of the last recognition. */
export interface LastRecognized {
  /** The person. */
  teamMember: TeamMember;
  /** As 2026-11-02; null for a member who was never recognized. */
  lastDate: string | null;
  /** Null for a member who was never recognized. */
  type: 'GIFT' | 'SHOUTOUT' | null;
}

/** Which members the report shows, and which page of it. */
export interface LastRecognizedQuery extends MemberFilters, PageQuery {
  /** Lists the members who were never recognized instead. */
  neverRecognized?: boolean;
}

/** A page of the report. */
export interface LastRecognizedPage extends Page {
  /** The most recently recognized first. */
  teamMembers: LastRecognized[];
}

/** How a CSV file is written. */
export interface CsvQuery {
  /** Whether it begins with a byte order mark, which tells Excel that the text is UTF-8. */
  bom?: boolean;
}

/** Which days a report is about, each as 2026-11-02, in UTC. */
export interface SpanQuery {
  /** The first day. 89 days before `to` when absent; a series begins earlier. */
  from?: string;
  /** The last day. The day `asOf` when absent. */
  to?: string;
  /** The report as it was at the end of this day. Today when absent. */
  asOf?: string;
}

/** The days that a report is about. */
export interface Span {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
  /** The report is as of the end of this day. */
  asOf: string;
}

/** A sum of money in one currency. */
export interface Amount {
  /** As CAD. */
  currency: string;
  /** The sum. */
  amount: number;
}

/** How a series is divided. */
export type SeriesStep = 'day' | 'week' | 'month';

/** Which series. */
export interface SeriesQuery extends SpanQuery {
  /** The length of each step; weeks begin on Monday. A week when absent. */
  by?: SeriesStep;
}

/** What was given in one step of a series. */
export interface SeriesPoint {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
  /** How many gifts. */
  gifts: number;
  /** How many approved shoutouts. */
  shoutouts: number;
  /** The sum of the gifts in each currency, the largest first. */
  amounts: Amount[];
}

/** Recognition over time. */
export interface Series extends Span {
  /** The length of each step. */
  by: SeriesStep;
  /** In the sequence of time, without gaps. */
  points: SeriesPoint[];
}

/** The gift whose mail failed last. */
export interface FailedGift {
  /** The id of the gift. */
  id: number;
  /** The first name of its recipient. */
  firstName: string;
  /** The last name of its recipient. */
  lastName: string;
  /** When its mail failed. */
  at: string;
}

/** What somebody should look at. Counts end at 1,000. */
export interface Attention {
  /** Gifts whose mail could not be sent. */
  failedGifts: number;
  /** The one that failed last. */
  latestFailure: FailedGift | null;
  /** Gifts whose recipient has no e-mail address. */
  giftsWithoutAddress: number;
  /** Gifts that nobody has claimed and that expire within seven days. */
  expiringGifts: number;
  /** Their sums, the largest first. */
  expiringAmounts: Amount[];
  /** When the first of them expires. */
  firstExpiry: string | null;
  /** Shoutouts that wait for approval. */
  waitingShoutouts: number;
  /** When the oldest of them was given. */
  oldestWaiting: string | null;
  /** Orders of the last 30 days that failed. */
  failedOrders: number;
  /** Budgets that have reached a threshold. */
  lowBudgets: number;
  /** Budgets with less than the smallest gift costs. */
  exhaustedBudgets: number;
  /** What recipients asked for and somebody has to fulfil or decline. */
  openRequests: number;
  /** Shops and values in pools of codes of which few codes are left, or none. */
  lowStocks: number;
  /** Endpoints that fail, or that were disabled because they failed. */
  failingWebhooks: number;
}

/** The days of a month. */
export interface OverviewSpan {
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
  /** How many gifts were given. */
  gifts: number;
  /** How many shoutouts were given. */
  shoutouts: number;
  /** The sum of the gifts in each currency, the largest first. */
  amounts: Amount[];
  /** People who were here on the last day. */
  people: number;
  /** How many of them were recognized. */
  recognized: number;
  /** Gifts that were claimed in these days. */
  claimed: number;
}

/** What needs attention, and this month beside the same days of the month before. */
export interface Overview {
  /** The months are as of the end of this day. */
  asOf: string;
  /** What somebody should look at now. */
  attention: Attention;
  /** This month so far. */
  current: OverviewSpan;
  /** As many days of the month before. */
  before: OverviewSpan;
}
