export {
  AuthenticationError,
  BudgetError,
  ChangedError,
  ConflictError,
  ConnectionError,
  type ErrorType,
  GiftwireError,
  InvalidRequestError,
  NotFoundError,
  OrderError,
  PermissionError,
  RateLimitError,
  ServerError,
  SignatureError,
} from './error.ts';
export type { FieldAtFault } from './fields.ts';
export { Giftwire, type GiftwireOptions } from './giftwire.ts';
export type { Hooks } from './hooks.ts';
export type { KeyOptions, Replayed } from './idempotency.ts';
export type { Approvals } from './resources/approvals.ts';
export type { Audit } from './resources/audit.ts';
export type { Automations } from './resources/automations.ts';
export type { Balances } from './resources/balances.ts';
export type { Bounces } from './resources/bounces.ts';
export type { Budgets } from './resources/budgets.ts';
export type { BulkActions } from './resources/bulk-actions.ts';
export type { Clock as ClockResource } from './resources/clock.ts';
export type { CustomFields } from './resources/custom-fields.ts';
export type { Erasures } from './resources/erasures.ts';
export type { Events, StreamOptions } from './resources/events.ts';
export type { Feed } from './resources/feed.ts';
export type { Gifts } from './resources/gifts.ts';
export type { Ledger } from './resources/ledger.ts';
export type { Mail } from './resources/mail.ts';
export type { Me as MeResource } from './resources/me.ts';
export type { Members } from './resources/members.ts';
export type { MyGifts, MySpending } from './resources/my.ts';
export type { MyShoutouts as MyShoutoutsResource } from './resources/my-shoutouts.ts';
export type { CreateOrderOptions, Orders, WaitOptions } from './resources/orders.ts';
export type { Outbox } from './resources/outbox.ts';
export type { Payroll } from './resources/payroll.ts';
export type { Pools } from './resources/pools.ts';
export type { Reasons } from './resources/reasons.ts';
export type { Redemptions } from './resources/redemptions.ts';
export type { Reports } from './resources/reports.ts';
export type { Rules } from './resources/rules.ts';
export type { Settings as SettingsResource } from './resources/settings.ts';
export type { Shoutouts } from './resources/shoutouts.ts';
export type { SpendingOptions } from './resources/spending-options.ts';
export type { SpendingRequests } from './resources/spending-requests.ts';
export type { Tokens } from './resources/tokens.ts';
export type { Undos } from './resources/undos.ts';
export type { Users } from './resources/users.ts';
export type { Webhooks } from './resources/webhooks.ts';
export { type RequestInfo, type ResponseInfo, responseOf } from './responses.ts';
export type { CallOptions, Fetch } from './transport.ts';
export type * from './types.ts';
export { verifyWebhook, type WebhookHeaders } from './verify.ts';
