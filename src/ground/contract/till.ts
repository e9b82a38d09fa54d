import Type, { type Static } from 'typebox';
import { giftStates } from './gift.ts';
import { aMomentOrNull, named, nullable, oneOf } from './schema.ts';

const token = Type.String({
  minLength: 1,
  maxLength: 200,
  format: 'text',
  description: 'The short token as it is typed, or the long one of the link.',
  examples: ['7KQ2-M4XN-90TR-DA3V'],
});

export const TillCheck = named(
  'TillCheck',
  Type.Object(
    { token },
    { description: 'The gift code that a customer shows.', examples: [{ token: '7KQ2-M4XN-90TR-DA3V' }] },
  ),
);
export type TillCheck = Static<typeof TillCheck>;

export const CheckedGift = named(
  'CheckedGift',
  Type.Object(
    {
      giftId: Type.Integer({ description: 'The id of the gift.', examples: [90210] }),
      isGood: Type.Boolean({ description: 'Whether something can be redeemed at a till now.' }),
      problem: nullable<string>('string', { description: 'Why not; null if it is good.', examples: [null] }),
      state: oneOf(giftStates, { description: 'The state of the gift.' }),
      amount: Type.Number({ description: 'What it was worth when it was issued.', examples: [25] }),
      left: Type.Number({ description: 'What is left of it.', examples: [15] }),
      currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
      expiresAt: aMomentOrNull(
        'Until when it can be claimed; null: it does not expire. A claimed gift does not expire.',
        null,
      ),
    },
    { description: 'What a till has to know about a gift. It does not say whose it is.' },
  ),
);
export type CheckedGift = Static<typeof CheckedGift>;

export const TillRedemption = named(
  'TillRedemption',
  Type.Object(
    {
      token,
      amount: Type.Optional(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 10_000,
          description: 'How much of the gift; absent: all that is left.',
          examples: [10],
        }),
      ),
      reference: Type.Optional(
        Type.String({
          maxLength: 100,
          format: 'text',
          description: 'Of your own, for instance the number of the receipt. Recipients see it.',
          examples: ['Receipt 4711'],
        }),
      ),
      spendingOption: Type.Optional(
        Type.String({
          maxLength: 40,
          format: 'text',
          description:
            'The id of a spending option for tills; absent: the first one that takes gifts in this currency.',
          examples: ['book-shop'],
        }),
      ),
    },
    { description: 'What is to be redeemed.', examples: [{ token: '7KQ2-M4XN-90TR-DA3V', amount: 10 }] },
  ),
);
export type TillRedemption = Static<typeof TillRedemption>;

export const tillSchemas = [TillCheck, CheckedGift, TillRedemption];
