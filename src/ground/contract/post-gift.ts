import Type, { type Static } from 'typebox';
import { currency, giftAmount } from './order.ts';
import { aMomentOrNull, named, nullable, oneOf, ref } from './schema.ts';

const postGiftStates = ['PREPARING', 'WAITING', 'SENT', 'NOT_SENT'] as const;

export const PostGift = named(
  'PostGift',
  Type.Object(
    {
      state: oneOf([...postGiftStates], {
        description:
          'PREPARING: the gifts are issued in a moment, and the post comes with them. WAITING: people decide about them first. SENT. NOT_SENT: the post was declined with them.',
      }),
      myGiftId: nullable<number>('integer', {
        description: 'The gift of the caller among them; null: none.',
        examples: [90210],
      }),
    },
    { description: 'The gifts that come with a post, one for each person. It never has an amount.' },
  ),
);

export const NewPostGift = named(
  'NewPostGift',
  Type.Object(
    {
      amount: giftAmount,
      currency,
      isShown: Type.Boolean({
        default: false,
        description: 'Whether the feed may say that a gift came with the post, in a workspace that shows it.',
      }),
    },
    {
      description: 'A gift for each person who is thanked.',
      examples: [{ amount: 10, currency: 'CAD', isShown: false }],
      required: ['amount', 'currency'],
    },
  ),
);
export type NewPostGift = Static<typeof NewPostGift>;

const amountOrNull = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description, examples: [example] });

const Giving = named(
  'Giving',
  Type.Object(
    {
      currency,
      left: Type.Number({ description: 'What the caller can still give.', examples: [15] }),
      perMonth: amountOrNull('What each person can give in a calendar month; null: no cap.', 20),
      lapsesAt: aMomentOrNull('When what is left lapses; null: it stays.'),
      giftLimit: amountOrNull('The most that one gift may cost; null: no limit.', 10),
      isOwn: Type.Boolean({ description: 'Whether it is a budget of their own.' }),
    },
    { description: 'What the caller can give in one currency.' },
  ),
);

export const MyGiving = named(
  'MyGiving',
  Type.Object(
    {
      giving: Type.Array(ref(Giving), { description: 'One for each currency; empty: posts come without gifts.' }),
      feedShowsGifts: Type.Boolean({
        description: 'Whether the feed says that a gift came with a post, if its sender wants that.',
      }),
    },
    { description: 'What the caller can give together with posts.' },
  ),
);
export type MyGiving = Static<typeof MyGiving>;

export const PostGiftCheck = named(
  'PostGiftCheck',
  Type.Object(
    {
      gifts: Type.Integer({ minimum: 0, description: 'How many gifts it would be.', examples: [3] }),
      total: Type.Number({ description: 'What they cost together.', examples: [15] }),
      problem: nullable<string>('string', { description: 'Why they could not be given; null: they could.' }),
      rule: nullable<string>('string', {
        description: 'The rule by which people decide about the gifts first; null: none.',
        examples: ['Gifts above 100'],
      }),
    },
    { description: 'What would become of a post with gifts.' },
  ),
);
export type PostGiftCheck = Static<typeof PostGiftCheck>;

export const postGiftSchemas = [PostGift, NewPostGift, Giving, MyGiving, PostGiftCheck];
