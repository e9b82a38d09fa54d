import Type from 'typebox';
import { printable } from './schema.ts';

export const IdempotencyHeader = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: printable,
      description:
        'Makes a retry safe: the same key with the same body answers with the same record, with another body 422.',
      examples: ['5b1c9a52-9a3c-4f0e-a4de-2f6a1f0e9b11'],
    }),
  ),
};
