import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Failure, type FailureKind } from '../../../ground/errors.ts';
import { sizeInWords } from '../body/body-limits.ts';

/** How an area writes an error. */
export interface ErrorForm {
  contentType: string;
  write: (
    status: number,
    failure: Failure,
    request: FastifyRequest,
  ) => { body: string; headers?: Readonly<Record<string, string>> };
}

const statuses: Record<FailureKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  overBudget: 402,
  forbidden: 403,
  missing: 404,
  method: 405,
  unacceptable: 406,
  conflict: 409,
  gone: 410,
  precondition: 412,
  tooLarge: 413,
  mediaType: 415,
  mismatch: 422,
  tooMany: 429,
  setup: 500,
  unavailable: 503,
};

/** What a caller reads in place of a failure that is not theirs to know. */
const ownFault = new Failure('setup', 'Something failed on our side: try again later.');

/** The one place where an error becomes an answer. The cause of a failure goes to the log and never into the answer. */
export function answerErrors({ contentType, write }: ErrorForm) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const failure = asFailure(error, request);
    const status = failure ? statuses[failure.kind] : 500;
    const { id: reqId, log } = request;
    // The log leaves most of many 503s out, and knows them by the failure itself. A 500 is a defect, and each is logged.
    if (status >= 500)
      log.error({ reqId, err: status === 503 ? failure : (failure?.cause ?? error) }, `answered ${status}`);
    const shown = failure && status !== 500 ? failure : ownFault;
    reply.code(status).headers(failure?.headers ?? {});
    // Fastify calls this for paths that it cannot decode as well, where an error of the format would not be caught: it would end the service.
    try {
      const { body, headers = {} } = write(status, shown, request);
      reply.headers(headers).type(contentType).send(body);
    } catch (cause) {
      request.log.error({ reqId: request.id, err: cause }, 'an error could not be written in its form');
      reply.type('text/plain; charset=utf-8').send(`${shown.message}\n`);
    }
  };
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
