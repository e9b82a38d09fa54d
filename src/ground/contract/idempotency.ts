import Type from 'typebox';
import { printable } from './schema.ts';

const key = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: printable,
  description:
    'Makes a retry safe, for instance a new UUID for each request. The same key with the same request changes nothing and gives the same record or response again; with another body it gives 422. Orders, shoutouts, redemptions, money and payroll exports keep it permanently, everything else for 30 days, for its caller. A response with a secret is not given again: 409.',
});

/** Without an example: the reference page would send it with every try, and all tries but the first would be replays. */
export const IdempotencyHeader = { 'Idempotency-Key': Type.Optional(key) };

/** For money that leaves: a caller who does not know whether a request arrived must be able to repeat it. */
export const RequiredIdempotencyHeader = { 'Idempotency-Key': key };

export const ReplayedHeader = {
  'Idempotent-Replayed': Type.Boolean({
    description: 'true when the Idempotency-Key was used before and nothing new was recorded; else absent.',
  }),
};
