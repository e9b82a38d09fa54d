import Type from 'typebox';
import { printable } from './schema.ts';

/** Without an example: the reference page would send it with every try, and all tries but the first would be replays. */
export const IdempotencyHeader = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: printable,
      description:
        'Makes a retry safe, for instance a new UUID for each submission. The same key with the same body gives the same record again; with another body it gives 422.',
    }),
  ),
};

export const ReplayedHeader = {
  'Idempotent-Replayed': Type.Boolean({
    description: 'true when the Idempotency-Key was used before and nothing new was recorded; else absent.',
  }),
};
