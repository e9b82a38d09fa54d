import Type from 'typebox';
import { invalidFieldsHeader } from '../errors/invalid-fields.ts';

interface DocumentedError {
  description: string;
  /** A message as the service writes it. */
  example: string;
  headers?: Record<string, unknown>;
}

const retryAfter = { 'Retry-After': Type.Integer({ description: 'Seconds to wait before the next try.' }) };

const invalidFields = {
  [invalidFieldsHeader]: Type.String({
    description:
      'The paths of the invalid fields, separated by commas, for programs. At most 100, and absent if no field is named. Characters other than letters, digits and _ . - [ ] are encoded as in a URL.',
  }),
};

/** The error answers that operations document, by status. */
export const documentedErrors: Record<number, DocumentedError> = {
  400: {
    description: 'The input is not valid. The message lists every invalid field.',
    example: 'orderItems[2].recipient.email must be an e-mail address; currency is required',
    headers: invalidFields,
  },
  401: {
    description:
      'The credential is missing or wrong. The message says whether none was sent, the scheme is another one, the token is for the other environment, is mistyped, or is unknown or revoked.',
    example: 'No credential was sent: send "Authorization: Bearer <token>".',
    headers: { 'WWW-Authenticate': Type.String({ description: 'Bearer' }) },
  },
  402: {
    description:
      'The order does not fit into the budget on which it draws. The message says what it costs and what is left. Nothing is stored.',
    example:
      "The order costs 250.00 CAD, and 100.00 CAD is left in the workspace's budget: send gifts for less, or have the budget raised and send the same request again.",
  },
  403: {
    description: 'The token has no right to the workspace or to the operation.',
    example: 'This token has no right to that workspace.',
  },
  404: {
    description: 'The workspace has nothing with this id.',
    example: 'There is no order request with this requestId in this workspace.',
  },
  406: {
    description: 'The header Accept excludes every media type that the operation can answer with.',
    example: 'The answer is JSON: send "Accept: application/json".',
  },
  409: {
    description: 'The request contradicts the current state. The message says how.',
    example: 'There is a reason "Teamwork" already.',
  },
  410: {
    description: 'What was asked for was removed because of its age. The message says what is left.',
    example: 'Events up to 1200 were removed because of their age: the oldest is 1201. Ask with after=1200.',
  },
  412: {
    description: 'The resource has changed since the version in If-Match.',
    example: 'The resource has changed since: read it again.',
  },
  413: {
    description: 'The body has too many bytes or too many values. The message says how many are allowed.',
    example: 'The body is too large: it may have at most 16 MiB.',
  },
  415: {
    description: 'The body has another media type than the operation takes, or is compressed or not UTF-8.',
    example: 'The Content-Type must be application/json.',
  },
  422: {
    description:
      'The Idempotency-Key was used before with another body or for another operation. For orders and shoutouts, the message names the fields that differ.',
    example:
      'This Idempotency-Key was used with another body, which differs in orderItems[0].amount: send the same body or a new key.',
    headers: invalidFields,
  },
  429: {
    description:
      'The token has used up its rate limit, too many wrong credentials came from this address, or the workspace is reading too many files.',
    example: 'This token may send 600 requests a minute: wait 12 s.',
    headers: retryAfter,
  },
  500: {
    description: "A failure on the service's side.",
    example: 'Something failed on our side: try again later.',
  },
  503: {
    description: 'The service is overloaded, or its database cannot be reached.',
    example: 'The service is busy or its database cannot be reached: try again shortly.',
    headers: retryAfter,
  },
};

/** An error answer for the OpenAPI document: its media type, its schema, and its example's body. */
export function documentError(status: number, mediaType: string, schema: unknown, example: unknown) {
  const { description, headers } = documentedErrors[status] as DocumentedError;
  return { description, ...(headers && { headers }), content: { [mediaType]: { schema, example } } };
}
