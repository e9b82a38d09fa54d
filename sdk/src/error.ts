import { type FieldAtFault, fieldsAtFault } from './fields.ts';
import type { ResponseInfo } from './responses.ts';
import { readRetryAfter } from './time.ts';

/**
 * What went wrong. The first three are the service's own.
 *
 * - invalid_field: the request has to change. `fields` says where.
 * - security_error: the token is missing or wrong, lacks the right, or has called too often.
 * - server_error: the service failed, or something else answered in its place.
 * - no_answer: the service was not reached, or its answer was lost. What was asked for may have happened.
 * - order_failed: the order that was waited for has failed. None of its gifts was issued.
 * - still_pending: the time is up, and the order that was waited for is not finished. It is not lost.
 * - invalid_signature: a webhook was not signed with this secret, or is too old.
 */
export type ErrorType =
  | 'invalid_field'
  | 'security_error'
  | 'server_error'
  | 'no_answer'
  | 'order_failed'
  | 'still_pending'
  | 'invalid_signature';

interface Details {
  status?: number | null;
  requestId?: string | null;
  idempotencyKey?: string | null;
  /** The header X-Invalid-Fields. */
  invalidFields?: string | null;
  response?: ResponseInfo;
  cause?: unknown;
}

/** The base of every error of this library. A call that was aborted throws the reason of its signal instead, and one that cannot be sent a TypeError. */
export class GiftwireError extends Error {
  override readonly name: string;
  /** What went wrong, for programs. */
  readonly type: ErrorType;
  /** The HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** The service's own id of the request. The log of the service has it as `reqId`. */
  readonly requestId: string | null;
  /** The key that the request carried. With it, the same request can be sent again at any time and is still done once. */
  readonly idempotencyKey: string | null;
  /** The response with its headers; null where there was none. */
  readonly response: ResponseInfo | null;
  /** How long the service asks to wait before the next attempt; null where it does not say. */
  readonly retryAfterMs: number | null;
  /** The invalid fields, if the service has named them. */
  readonly fields: readonly FieldAtFault[];

  constructor(type: ErrorType, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = new.target.name;
    this.type = type;
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.idempotencyKey = details.idempotencyKey ?? null;
    this.response = details.response ?? null;
    this.retryAfterMs = details.response ? readRetryAfter(details.response.headers) : null;
    this.fields = fieldsAtFault(details.invalidFields ?? null, message);
  }
}

/** 400, 413, 415, 422 and others: the request has to change. `fields` says where. */
export class InvalidRequestError extends GiftwireError {}
/** 401: the token is missing, wrong, expired or revoked. */
export class AuthenticationError extends GiftwireError {}
/** 402: the order does not fit into its budget. */
export class BudgetError extends GiftwireError {}
/** 403: the token has no right to the workspace or to the operation. */
export class PermissionError extends GiftwireError {}
/** 404 and 410: there is nothing with this id, or no longer. */
export class NotFoundError extends GiftwireError {}
/** 409: the request contradicts the current state. */
export class ConflictError extends GiftwireError {}
/** 412: another change came first. Read the record again, and repeat your change. */
export class ChangedError extends GiftwireError {}
/** 429: the token has called too often. `retryAfterMs` says how long to wait. */
export class RateLimitError extends GiftwireError {}
/** 5xx: the service failed, or something else answered in its place. */
export class ServerError extends GiftwireError {}
/** The service was not reached, or its response was lost. What was asked for may have happened. */
export class ConnectionError extends GiftwireError {}
/** The order that was waited for has failed, or is not finished yet. */
export class OrderError extends GiftwireError {}
/** A webhook was not signed with this secret, or is too old. */
export class SignatureError extends GiftwireError {}

const classes: Record<number, typeof GiftwireError> = {
  401: AuthenticationError,
  402: BudgetError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  412: ChangedError,
  429: RateLimitError,
};

function classOf(status: number): typeof GiftwireError {
  return classes[status] ?? (status >= 400 && status < 500 ? InvalidRequestError : ServerError);
}

/** The error that an answer of 300 and above stands for. The body may be a proxy's and no JSON. */
export function errorOf(
  response: Response,
  text: string,
  idempotencyKey: string | undefined,
  received: ResponseInfo,
): GiftwireError {
  const { status } = response;
  const { type, message } = readProblem(text);
  const ErrorClass = classOf(status);
  return new ErrorClass(
    type ?? typeOf(status),
    message ?? (redirection(response) || `${status} ${response.statusText}`.trim()),
    {
      status,
      requestId: received.requestId,
      invalidFields: received.headers.get('X-Invalid-Fields'),
      idempotencyKey: idempotencyKey ?? null,
      response: received,
    },
  );
}

function readProblem(text: string): { type?: ErrorType; message?: string } {
  try {
    const { type, message } = JSON.parse(text);
    return typeof type === 'string' && typeof message === 'string' ? { type: type as ErrorType, message } : {};
  } catch {
    return {};
  }
}

function typeOf(status: number): ErrorType {
  if (status === 401 || status === 403 || status === 429) return 'security_error';
  return status >= 400 && status < 500 ? 'invalid_field' : 'server_error';
}

/** Redirects are not followed: they could lead the token to another address. */
function redirection({ status, type, url, headers }: Response): string {
  if (type !== 'opaqueredirect' && (status < 300 || status >= 400)) return '';
  return `${url} redirects to ${headers.get('Location') ?? 'another address'}: give that address as url.`;
}
