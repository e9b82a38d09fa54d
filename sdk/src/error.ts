import { type FieldAtFault, fieldsAtFault } from './fields.ts';

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
  cause?: unknown;
}

/** Every error of this library. A call that was aborted throws the reason of its signal instead, and one that cannot be sent a TypeError. */
export class GiftwireError extends Error {
  override readonly name = 'GiftwireError';
  /** What went wrong, for programs. */
  readonly type: ErrorType;
  /** The HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** The service's own id of the request. The log of the service has it as `reqId`. */
  readonly requestId: string | null;
  /** The key that the request carried. With it, the same request can be sent again at any time and is still done once. */
  readonly idempotencyKey: string | null;
  /** The invalid fields, if the service has named them. */
  readonly fields: readonly FieldAtFault[];

  constructor(type: ErrorType, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.type = type;
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.idempotencyKey = details.idempotencyKey ?? null;
    this.fields = fieldsAtFault(details.invalidFields ?? null, message);
  }
}

/** The error that an answer of 300 and above stands for. The body may be a proxy's and no JSON. */
export function errorOf(response: Response, text: string, idempotencyKey?: string): GiftwireError {
  const { status, headers } = response;
  const { type, message } = readProblem(text);
  return new GiftwireError(
    type ?? typeOf(status),
    message ?? (redirection(response) || `${status} ${response.statusText}`.trim()),
    {
      status,
      requestId: headers.get('X-Request-Id'),
      invalidFields: headers.get('X-Invalid-Fields'),
      idempotencyKey: idempotencyKey ?? null,
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
