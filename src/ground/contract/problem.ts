import Type from 'typebox';
import { named, oneOf } from './schema.ts';

export const Problem = named(
  'Problem',
  Type.Object(
    {
      status: Type.Integer({ description: 'Equals the HTTP status.', examples: [400] }),
      message: Type.String({
        description: 'What is wrong and what to do. A validation message lists every invalid field.',
        examples: ['orderItems[2].recipient.email must be an e-mail address; currency is required'],
      }),
      type: oneOf(['invalid_field', 'security_error', 'server_error'], {
        description: 'security_error: 401, 403 and 429. server_error: 500 and 503. invalid_field: everything else.',
      }),
    },
    { description: 'The body of every error answer, that is of status 400 and above.', additionalProperties: false },
  ),
);
