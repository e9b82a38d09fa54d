import Type, { type Static } from 'typebox';
import { deliveries, giftFilters, giftStates } from './gift.ts';
import { named, nullable, oneOf, ref, strictQuery } from './schema.ts';

export const GiftTotalsQuery = strictQuery(giftFilters);
export type GiftTotalsQuery = Static<typeof GiftTotalsQuery>;

const GiftTotal = named(
  'GiftTotal',
  Type.Object(
    {
      state: oneOf(giftStates, { description: 'What has become of these gifts.' }),
      delivery: nullable<(typeof deliveries)[number]>('string', {
        enum: [...deliveries, null],
        description: 'Where their emails stand. Null for gifts that are not ISSUED any more.',
        examples: ['SENT'],
      }),
      currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
      gifts: Type.Integer({ description: 'How many gifts there are.', examples: [12] }),
      amount: Type.Number({ description: 'The sum of their amounts.', examples: [900] }),
      redeemed: Type.Number({ description: 'How much of it is spent.', examples: [180] }),
    },
    { description: 'Gifts of one state, one delivery and one currency.' },
  ),
);

export const GiftTotals = named(
  'GiftTotals',
  Type.Object(
    {
      gifts: Type.Integer({ description: 'How many gifts fit.', examples: [12] }),
      isMinimum: Type.Boolean({
        description: 'Whether there may be more: at most the 20,000 newest gifts are examined.',
        examples: [false],
      }),
      totals: Type.Array(ref(GiftTotal), { description: 'The gifts by state, delivery and currency.' }),
    },
    { description: 'How many gifts fit, and what they are worth.' },
  ),
);
export type GiftTotals = Static<typeof GiftTotals>;

export const giftTotalSchemas = [GiftTotal, GiftTotals];
