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
export type * from './resources.ts';
export { type RequestInfo, type ResponseInfo, responseOf } from './responses.ts';
export type { CallOptions, Fetch } from './transport.ts';
export type * from './types.ts';
export { verifyWebhook, type WebhookHeaders } from './verify.ts';
