import Type, { type Static } from 'typebox';
import { spendingKinds, spendingOptionKinds } from '../values/spending-kinds.ts';
import { aMoment, anId, named, nullable, oneOf, ref } from './schema.ts';

const redemptionStates = ['REQUESTED', 'DONE', 'REVERSED', 'DECLINED'] as const;
const fulfilledBys = [...new Set(spendingOptionKinds.map((kind) => spendingKinds[kind].fulfilledBy))];

/** The most gifts that are spent together. */
const mostGiftsTogether = 1_000;
const longestRequest = 200;

const moment = (description: string, example: string | null = '2026-11-02T14:03:27.512Z') =>
  nullable<string>('string', { format: 'date-time', description, examples: [example] });
const money = (description: string, example: number) => Type.Number({ description, examples: [example] });
const currency = Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] });
const sender = {
  senderId: Type.Integer({ description: 'The member id of the sender.', examples: [3] }),
  senderName: Type.String({ description: 'Who the gift is from.', examples: ['Tomás Rivera'] }),
};

/** How something was spent. */
const how = {
  state: oneOf(redemptionStates, {
    description:
      'REQUESTED: a colleague has to fulfil it. DONE: it is spent. REVERSED and DECLINED: the gifts have the amount back.',
    examples: ['DONE'],
  }),
  kind: oneOf(spendingOptionKinds, { description: 'The kind of the spending option.' }),
  spendingOption: Type.String({ description: 'The id of the spending option.', examples: ['payroll'] }),
  spendingOptionName: Type.String({
    description: 'What the spending option was called then.',
    examples: ['With the next salary'],
  }),
  retailer: nullable<string>('string', { description: 'Where it was spent, if known.', examples: [null] }),
  requestText: nullable<string>('string', { description: 'What the caller asked for.', examples: [null] }),
  note: nullable<string>('string', { description: 'What the company said about it.', examples: [null] }),
  spentAt: aMoment('When it was spent.', '2026-11-02T14:03:27.512Z'),
  finishedAt: moment('When it got its state; null while it is REQUESTED.'),
  hasCode: Type.Boolean({ description: 'Whether there is the code of a gift card to read.' }),
};

export const GiftRedemption = named(
  'GiftRedemption',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the redemption.', examples: [312] }),
      spendingId: Type.Integer({ description: 'What it is a part of, or its own id.', examples: [312] }),
      isTogether: Type.Boolean({ description: 'Whether other gifts were spent together with this one.' }),
      amount: money('How much of the gift was spent.', 20),
      reference: nullable<string>('string', { description: "The till's reference.", examples: [null] }),
      ...how,
    },
    { description: 'What was spent of a gift at once.' },
  ),
);
export type GiftRedemption = Static<typeof GiftRedemption>;

const CardChoice = named(
  'CardChoice',
  Type.Object(
    {
      retailer: Type.String({ description: 'The retailer of the gift card.', examples: ['Riverside Books'] }),
      value: money('What it is worth.', 25),
      isThere: Type.Boolean({ description: 'Whether there is one left.' }),
    },
    { description: 'A gift card that can be chosen.' },
  ),
);

const MySpendingOption = named(
  'MySpendingOption',
  Type.Object(
    {
      id: Type.String({ description: 'The id of the spending option.', examples: ['payroll'] }),
      kind: oneOf(spendingOptionKinds, { description: 'Its kind.' }),
      fulfilledBy: oneOf(fulfilledBys, {
        description:
          'payroll: a payroll export pays it. colleague: it is a request, on which a colleague decides. code: a gift card is given at once. till: a till or shop takes the code of a gift.',
      }),
      name: Type.String({ description: 'What it is called.', examples: ['With the next salary'] }),
      description: Type.String({ description: 'What else the company says about it.', examples: [''] }),
      isTogether: Type.Boolean({
        description: 'Whether several gifts can be spent together with it. If not: one gift, with its code.',
      }),
      allowsParts: Type.Boolean({ description: 'Whether a part of a gift can be spent, or only all that is left.' }),
      least: money('The least that can be spent at once.', 0.01),
      most: money('The most that can be spent at once.', 132.5),
      cards: Type.Array(ref(CardChoice), { description: 'Of `code`: what can be chosen.' }),
      hasLink: Type.Boolean({ description: 'Of `till`: whether there is a shop to open with the code of a gift.' }),
    },
    { description: 'A spending option that the caller can choose.' },
  ),
);

export const MySpendingOptions = named(
  'MySpendingOptions',
  Type.Object(
    {
      currency,
      left: money('What all gifts have left that can be spent.', 132.5),
      gifts: Type.Integer({ description: 'How many gifts that are.', examples: [3] }),
      spendingOptions: Type.Array(ref(MySpendingOption), { description: 'In the sequence of the workspace.' }),
    },
    { description: 'What the gifts of the caller in one currency can be spent on.' },
  ),
);
export type MySpendingOptions = Static<typeof MySpendingOptions>;

export const MySpendingOptionsQuery = Type.Object(
  { currency: Type.String({ format: 'currency', description: 'ISO 4217 code of the gifts.', examples: ['CAD'] }) },
  { additionalProperties: false },
);

const NewPart = named(
  'NewSpendingPart',
  Type.Object(
    {
      giftId: anId('The id of the gift.', 90210),
      amount: Type.Number({ exclusiveMinimum: 0, maximum: 10_000, description: 'How much of it.', examples: [20] }),
    },
    { description: 'How much of one gift is spent.' },
  ),
);

const mostAmount = mostGiftsTogether * 10_000;

export const NewSpending = named(
  'NewSpending',
  Type.Object(
    {
      amount: Type.Number({
        exclusiveMinimum: 0,
        maximum: mostAmount,
        description: 'How much is spent of all gifts together.',
        examples: [100],
      }),
      currency: Type.String({ format: 'currency', description: 'ISO 4217 code of the gifts.', examples: ['CAD'] }),
      spendingOption: Type.String({
        minLength: 1,
        maxLength: 40,
        format: 'text',
        description: 'The id of the spending option.',
        examples: ['payroll'],
      }),
      retailer: Type.Optional(
        Type.String({
          maxLength: 100,
          format: 'text',
          description: 'Of a gift card: its retailer.',
          examples: ['Riverside Books'],
        }),
      ),
      requestText: Type.Optional(
        Type.String({
          maxLength: longestRequest,
          format: 'text',
          description: 'Of a request: what the caller would like.',
          examples: ['The food bank'],
        }),
      ),
      gifts: Type.Optional(
        Type.Array(ref(NewPart), {
          minItems: 1,
          maxItems: mostGiftsTogether,
          description:
            'Exactly these parts, which add up to `amount`: send what the preview said, and nothing else is spent. Absent: gifts that expire first are used first.',
        }),
      ),
    },
    {
      description: 'What is spent of one gift or of several together.',
      examples: [{ amount: 100, currency: 'CAD', spendingOption: 'payroll' }],
    },
  ),
);
export type NewSpending = Static<typeof NewSpending>;

const PreviewPart = named(
  'SpendingPreviewPart',
  Type.Object(
    {
      giftId: Type.Integer({ description: 'The id of the gift.', examples: [90210] }),
      ...sender,
      expiresAt: moment('Until when it can be claimed; null: no expiry date, or it is claimed.', null),
      before: money('What it has left now.', 20),
      amount: money('How much of it would be spent.', 20),
      left: money('What it would have left then.', 0),
    },
    { description: 'How much of one gift would be spent.' },
  ),
);

export const SpendingPreview = named(
  'SpendingPreview',
  Type.Object(
    {
      amount: money('How much would be spent.', 100),
      currency,
      gifts: Type.Array(ref(PreviewPart), { description: 'Where it would come from, the first to be used first.' }),
      left: money('What all gifts would have left then.', 32.5),
      giftsLeft: Type.Integer({ description: 'How many gifts would have something left.', examples: [1] }),
      isReversible: Type.Boolean({ description: 'Whether the caller could reverse it at first.' }),
    },
    { description: 'What a spending would do.' },
  ),
);
export type SpendingPreview = Static<typeof SpendingPreview>;

const SpendingPart = named(
  'SpendingPart',
  Type.Object(
    {
      redemptionId: Type.Integer({ description: 'The id of the redemption.', examples: [312] }),
      giftId: Type.Integer({ description: 'The id of the gift.', examples: [90210] }),
      ...sender,
      amount: money('How much of it was spent.', 20),
      left: money('What it has left now.', 0),
      thanks: nullable<string>('string', { description: 'The thank-you note to its sender.', examples: [null] }),
    },
    { description: 'What was spent of one gift.' },
  ),
);

export const Spending = named(
  'Spending',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the first of its redemptions.', examples: [312] }),
      amount: money('How much was spent of all gifts.', 100),
      currency,
      left: money('What all gifts of this currency have left now.', 32.5),
      ...how,
      isReversible: Type.Boolean({ description: 'Whether the caller can still reverse it.' }),
      gifts: Type.Array(ref(SpendingPart), { description: 'Where it came from, the first that was used first.' }),
    },
    { description: 'What was spent of one gift or of several together. All parts have one state.' },
  ),
);
export type Spending = Static<typeof Spending>;

export const SpendingParams = Type.Object({
  id: anId('The id of the spending.', 312),
});

export const GivenCard = named(
  'GivenCard',
  Type.Object(
    {
      retailer: Type.String({ description: 'The retailer.', examples: ['Riverside Books'] }),
      amount: money('What it is worth.', 25),
      currency,
      code: Type.String({ description: 'What the retailer asks for.', examples: ['BOOK-7F2K-91'] }),
      pin: nullable<string>('string', { description: 'The PIN of the card, if it has one.', examples: [null] }),
      expiresOn: nullable<string>('string', {
        format: 'date',
        description: 'The last day on which the retailer takes it.',
        examples: [null],
      }),
    },
    { description: 'A gift card.' },
  ),
);

export const mySpendingSchemas = [
  GiftRedemption,
  CardChoice,
  MySpendingOption,
  MySpendingOptions,
  NewPart,
  NewSpending,
  PreviewPart,
  SpendingPreview,
  SpendingPart,
  Spending,
  GivenCard,
];
