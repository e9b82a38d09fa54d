import type {
  Actor,
  Budget,
  EventsByType,
  FeedPost,
  Gift,
  LedgerEntry,
  Operations,
  OrderItemValidation,
  OrderRecord,
  OrderValidation,
  PayrollColumn,
  Redemption,
  Series,
  Shoutout,
  SpendingOption,
  User,
} from './generated.ts';

export type * from './generated.ts';

/** The query parameters of an operation. */
type Query<Key extends keyof Operations> = Operations[Key] extends { query: infer Fields } ? Fields : never;

/** The same for an operation that can respond with a file, as its pages are asked for. */
type ListQuery<Key extends keyof Operations> = Omit<Query<Key>, keyof CsvQuery>;

/** A reaction to a post. */
export type ReactionKind = FeedPost['myReactions'][number];
/** A person who signed in, a token, the command line, or the service itself. */
export type ActorKind = Actor['is'];
/** Whose budget it is. UNLIMITED: not a budget, but the book of the gifts that were sent without one. */
export type BudgetKind = Budget['kind'];
/** LOW: it has reached a threshold. EXHAUSTED: less is available than the smallest gift costs. */
export type BudgetLevel = Budget['level'];
/** How people are grouped. */
export type CoverageGrouping = NonNullable<CoverageQuery['by']>;
/** What an event is about. A newer service may send types that this list does not have yet. */
export type EventType = keyof EventsByType;
/** An event of one type. */
export type EventOf<Type extends EventType> = EventsByType[Type];
/** Every type of event, and the data that comes with it. */
export type EventData = { [Type in EventType]: EventsByType[Type]['data'] };
/** The state of the email about a gift. SENT: a mail server has taken it; whether it arrived is not known. */
export type GiftDelivery = Gift['delivery'];
/** The state of a gift. */
export type GiftState = Gift['state'];
/** Where the money of a budget is. */
export type LedgerAccount = LedgerEntry['source'];
/** What an entry of the ledger is about. */
export type LedgerEntryType = LedgerEntry['type'];
/** How many gifts, or people, of each kind an order has. */
export type OrderValidationCounts = OrderValidation['counts'];
/** What a column of a payroll export can hold. */
export type PayrollField = NonNullable<PayrollColumn['field']>;
/** Who a recipient is: `outcome` of OrderItemValidation says what each value means. */
export type RecipientOutcome = OrderItemValidation['outcome'];
/** REQUESTED: it waits for a decision. DONE: it is spent. REVERSED and DECLINED: the gift has the amount back. */
export type RedemptionState = Redemption['state'];
/** What a user may do in a workspace. */
export type Role = User['role'];
/** How a series is divided. */
export type SeriesStep = Series['by'];
/** PENDING where the workspace asks for approval and the shoutout is not decided yet. */
export type ShoutoutStatus = Shoutout['status'];
/** What the tax log says about a spending option. */
export type TaxType = SpendingOption['taxType'];
/** How gifts are spent: `kind` of SpendingOption says what each value means. */
export type SpendingOptionKind = SpendingOption['kind'];

/** Where a page stands in its list. */
export interface Page extends Pick<OrderRecord, 'page' | 'size' | 'totalElements' | 'totalPages'> {}
/** The days that a report is about. */
export interface Span extends Pick<Series, 'from' | 'to' | 'asOf'> {}

/** Which page to read. */
export interface PageQuery extends Query<'GET /orders/{requestId}'> {}
/** How a CSV file is written. */
export interface CsvQuery extends Pick<Query<'GET /reports/teams/activity'>, 'bom'> {}
/** Which days a report is about, each as 2026-11-02, in UTC. */
export interface SpanQuery extends Omit<SeriesQuery, 'by'> {}

/** Which approvals to list. */
export interface ApprovalQuery extends Query<'GET /approvals'> {}
/** Which entries of the audit log to read. */
export interface AuditQuery extends Query<'GET /audit'> {}
/** Which reported posts and comments to list. */
export interface CaseQuery extends Query<'GET /feed/moderation'> {}
/** Which colleagues to find. */
export interface ColleagueQuery extends Query<'GET /feed/colleagues'> {}
/** Which page of comments to read. */
export interface CommentsQuery extends Query<'GET /feed/posts/{id}/comments'> {}
/** Which posts of the feed to list. */
export interface FeedQuery extends Query<'GET /feed'> {}
/** Which shoutouts of the caller to list. */
export interface MyShoutoutsQuery extends Query<'GET /me/shoutouts'> {}
/** Which reaction, and which page. */
export interface ReactionQuery extends Query<'GET /feed/posts/{id}/reactions'> {}
/** Which page of receivers to read. */
export interface ReceiversQuery extends Query<'GET /feed/posts/{id}/receivers'> {}
/** Which budgets to list. All filters have to match. */
export interface BudgetQuery extends ListQuery<'GET /budgets'> {}
/** Which page of bulk actions to list. */
export interface BulkActionQuery extends Query<'GET /bulk-actions'> {}
/** Which gifts of a bulk action to list. */
export interface BulkGiftQuery extends Query<'GET /bulk-actions/{id}/gifts'> {}
/** Which codes to remove. */
export interface CodeRemoval extends Query<'DELETE /pools/{id}/codes'> {}
/** Which groups, and which page of them. */
export interface CoverageQuery extends ListQuery<'GET /reports/coverage'> {}
/** Which events to read. */
export interface EventQuery extends Omit<Query<'GET /events'>, 'types'> {
  /** Only these types. */
  types?: readonly EventType[];
}
/** Which span, and which page of managers. */
export interface FairnessQuery extends ListQuery<'GET /reports/fairness'> {}
/** Which gifts to list. All filters have to match. */
export interface GiftQuery extends ListQuery<'GET /gifts'> {}
/** Which gifts to count. All filters have to match. */
export interface GiftTotalsQuery extends Query<'GET /gifts/totals'> {}
/** How a file of people is imported. */
export interface ImportQuery extends Omit<Query<'POST /members/import'>, 'map' | 'status' | 'value'> {
  /** Which column is which field; null leaves a column out. Other columns are understood by their headers. */
  map?: Record<string, string | null>;
  /** What the company's own statuses mean. */
  status?: Record<string, 'active' | 'left'>;
  /** By field: what texts mean. */
  value?: Record<string, Record<string, string>>;
}
/** Which members the report shows, and which page of it. */
export interface LastRecognizedQuery extends ListQuery<'GET /reports/members/last-recognized'> {}
/** Which recognition to list. */
export interface MemberActivityQuery extends Query<'GET /members/{id}/activities'> {}
/** Which members a list shows. Each filter is an exact match ignoring case, and all of them have to match. */
export interface MemberFilters extends Omit<MemberQuery, 'search' | keyof PageQuery> {}
/** Which members to list, and which page of them. */
export interface MemberQuery extends Query<'GET /members'> {}
/** Which of the caller's gifts to list. */
export interface MyGiftQuery extends Query<'GET /me/gifts'> {}
/** Who was not recognized, and which page of them. All filters have to match. */
export interface NotRecognizedQuery extends ListQuery<'GET /reports/members/not-recognized'> {}
/** Which occurrences of automations to list. All filters have to match. */
export interface OccurrenceQuery extends ListQuery<'GET /automations/occurrences'> {}
/** Which orders to list. All filters have to match. */
export interface OrderListQuery extends Query<'GET /orders'> {}
/** Which sent emails to list. */
export interface OutboxQuery extends Query<'GET /outbox'> {}
/** Which exports to list. */
export interface PayrollQuery extends Query<'GET /payroll-exports'> {}
/** Which gifts to print: those of an order, or those with these ids. */
export interface PrintQuery extends Pick<Query<'GET /gifts/print'>, 'requestId'> {
  /** Up to 1,000 ids of gifts. */
  ids?: readonly number[];
  /** How many gifts are on a page. Default: 1. */
  perPage?: 1 | 8;
}
/** Which redemptions to list. All filters have to match. */
export interface RedemptionQuery extends ListQuery<'GET /redemptions'> {}
/** Which series. */
export interface SeriesQuery extends ListQuery<'GET /reports/series'> {}
/** Which shoutouts to list, and which page of them. */
export interface ShoutoutQuery extends Query<'GET /shoutouts'> {}
/** Whom to suggest. */
export interface SuggestionQuery extends Query<'GET /members/suggestions'> {}
/** Which lines of the tax log to read. */
export interface TaxLogQuery extends ListQuery<'GET /reports/tax-log'> {}
/** Which year and which people the totals are about. */
export interface TaxTotalsQuery extends Query<'GET /reports/tax-log/totals'> {}
/** Which page of the lines of the next export. */
export interface PayrollPreviewQuery extends Query<'GET /payroll-exports/next'> {}
/** Which tokens to list. */
export interface TokenQuery extends Query<'GET /tokens'> {}
/** Which users to list. */
export interface UserQuery extends Query<'GET /users'> {}
/** What else to check. */
export interface VerificationQuery extends Query<'GET /ledger/verify'> {}
