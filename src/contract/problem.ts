import Type from 'typebox';
import { named } from './schema.ts';

export const Problem = named(
  'Problem',
  Type.Object(
    {
      status: Type.Integer({ description: 'Equals the HTTP status.', examples: [400] }),
      message: Type.String({
        description: 'What is wrong and what to do, in one sentence.',
        examples: ['orderItems[2].recipient.email must be an e-mail address; currency is required'],
      }),
      type: Type.Enum(['invalid_field', 'security_error', 'server_error']),
    },
    { description: 'The body of every answer of 400 and above.', additionalProperties: false },
  ),
);
