import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Failure, type FailureKind } from '../errors.ts';
import { scimError } from '../scim/failure.ts';
import { sizeInWords } from './body-limits.ts';

type ProblemType = 'invalid_field' | 'security_error' | 'server_error';

const statuses: Record<FailureKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  method: 405,
  unacceptable: 406,
  conflict: 409,
  precondition: 412,
  tooLarge: 413,
  mediaType: 415,
  mismatch: 422,
  tooMany: 429,
  setup: 500,
  unavailable: 503,
};

export function problemBody(status: number, message: string) {
  return { status, message, type: problemType(status) };
}

function problemType(status: number): ProblemType {
  if (status === 401 || status === 403 || status === 429) return 'security_error';
  return status >= 500 ? 'server_error' : 'invalid_field';
}

/** The one place where an error becomes an answer: three fields, and nothing of its cause. SCIM has fields of its own. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure = asFailure(error, request);
  const status = failure ? statuses[failure.kind] : 500;
  if (status >= 500) request.log.error({ reqId: request.id, err: failure?.cause ?? error }, `answered ${status}`);
  const shown = failure && status !== 500 ? failure : null;
  const isScim = scimPath.test(request.url);
  reply
    .code(status)
    .headers(failure?.headers ?? {})
    .type(isScim ? 'application/scim+json; charset=utf-8' : 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(
      isScim
        ? scimError(status, shown?.message ?? ownFault, shown)
        : problemBody(status, shown ? messageOf(shown, request) : ownFault),
    );
}

/** As a path, or behind an absolute address. */
const scimPath = /^(https?:\/\/[^/]+)?\/scim(\/|$)/i;

const ownFault = 'Something failed on our side: try again later.';
const parts = ['params', 'body', 'querystring', 'headers'] as const;

/** Checking stops at the first part of a request that is at fault; the message names the others' faults too. */
function messageOf(failure: Failure, request: FastifyRequest): string {
  if (failure.faults.length === 0) return failure.message;
  const { validationContext } = failure as { validationContext?: (typeof parts)[number] };
  const unchecked = validationContext ? parts.slice(parts.indexOf(validationContext) + 1) : [];
  const others = unchecked.flatMap((part) => {
    const check = request.getValidationFunction(part) as unknown as
      | ((input: unknown) => { error?: Failure })
      | undefined;
    const input = { params: request.params, body: request.body, querystring: request.query, headers: request.headers }[
      part
    ];
    return check?.(input).error?.message ?? [];
  });
  const message = [failure.message, ...others].join('; ');
  return request.method === 'POST' ? message : `The input could be invalid: ${message}`;
}

function asFailure(error: unknown, { routeOptions: { bodyLimit } }: FastifyRequest): Failure | null {
  if (error instanceof Failure) return error;
  const { code, statusCode } = error as Partial<FastifyError>;
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Failure('mediaType', 'The Content-Type must be application/json.');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Failure('tooLarge', `The body is too large: it may have at most ${sizeInWords(bodyLimit)}.`);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Failure('invalid', 'The body is not as long as its Content-Length says.');
    case 'FST_ERR_BAD_URL':
      return new Failure('invalid', 'The input could be invalid: the path is not well-formed.');
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Failure('invalid', 'The request could not be read: check its path, headers and body.');
  return null;
}
