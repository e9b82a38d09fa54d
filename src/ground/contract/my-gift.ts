import Type, { type Static } from 'typebox';
import { giftStates } from './gift.ts';
import { GiftRedemption } from './my-spending.ts';
import { aMoment, aMomentOrNull, anId, named, nullable, nullableRef, oneOf, ref, strictQuery } from './schema.ts';

/** Where a gift stands for its recipient. */
export const standings = ['SEALED', 'OPEN', 'PAST'] as const;
export type GiftStanding = (typeof standings)[number];

const hidden = 'Null while the gift is sealed, and of a cancelled one.';

const fields = {
  id: Type.Integer({ description: 'The id of the gift.', examples: [90210] }),
  standing: oneOf(standings, {
    description:
      'SEALED: it has not been opened, so it does not say what it is. OPEN: it can be claimed or spent. PAST: it is spent, expired or cancelled.',
    examples: ['OPEN'],
  }),
  state: oneOf(giftStates, { description: 'What has become of the gift.', examples: ['CLAIMED'] }),
  needsCode: Type.Boolean({
    description:
      'Whether it is claimed only with a verification code. Until then it cannot be spent, and totals leave it out.',
  }),
  currency: nullable<string>('string', { description: `ISO 4217 code. ${hidden}`, examples: ['CAD'] }),
  amount: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: `What it was worth when it was issued. ${hidden}`,
    examples: [50],
  }),
  left: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: `What is left of it. ${hidden}`,
    examples: [37.5],
  }),
  message: nullable<string>('string', {
    description: `The text sent with it. ${hidden}`,
    examples: ['Thank you for the launch!'],
  }),
  reason: nullable<string>('string', { description: `What it is for. ${hidden}`, examples: ['Thank you'] }),
  senderId: Type.Integer({ description: 'The member id of the sender.', examples: [1] }),
  senderName: Type.String({ description: 'Who it is from.', examples: ['Payroll'] }),
  issuedAt: aMoment('When it was issued.', '2026-11-02T14:03:27.512Z'),
  expiresAt: aMomentOrNull(
    'Until when it can be claimed, or could be; null: no expiry date. A claimed gift does not expire.',
    null,
  ),
  claimedAt: aMomentOrNull('When it was claimed.', '2026-11-02T15:10:04.120Z'),
  thanks: nullable<string>('string', { description: 'The thank-you note to its sender.', examples: [null] }),
};

export const MyGift = named('MyGift', Type.Object(fields, { description: 'A gift of the caller.' }));
export type MyGift = Static<typeof MyGift>;

export const MyGiftDetails = named(
  'MyGiftDetails',
  Type.Object(
    {
      ...fields,
      redemptions: Type.Array(ref(GiftRedemption), { description: 'What was spent of it, the newest first.' }),
    },
    { description: 'A gift of the caller, and what was spent of it.' },
  ),
);
export type MyGiftDetails = Static<typeof MyGiftDetails>;

const FirstToExpire = named(
  'FirstToExpire',
  Type.Object(
    {
      giftId: Type.Integer({ description: 'The id of the gift.', examples: [90210] }),
      left: Type.Number({ description: 'What is left of it.', examples: [20] }),
      expiresAt: aMoment('Until when it can be claimed.', '2026-12-01T04:59:59.999Z'),
    },
    { description: 'The gift that expires first.' },
  ),
);

const MyTotal = named(
  'MyTotal',
  Type.Object(
    {
      currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
      left: Type.Number({ description: 'What can be spent.', examples: [132.5] }),
      gifts: Type.Integer({ description: 'Of how many gifts.', examples: [3] }),
      first: nullableRef(FirstToExpire, { description: 'Which of them expires first; null: none expires.' }),
    },
    { description: 'What the caller can spend in one currency.' },
  ),
);
export type MyTotal = Static<typeof MyTotal>;

export const MyGiftPage = named(
  'MyGiftPage',
  Type.Object(
    {
      totals: Type.Array(ref(MyTotal), {
        description: 'What can be spent, for each currency; that of the most gifts first.',
      }),
      counts: Type.Object(
        {
          sealed: Type.Integer({ description: 'Gifts that have not been opened.', examples: [1] }),
          open: Type.Integer({ description: 'Gifts that can be claimed or spent.', examples: [4] }),
          past: Type.Integer({ description: 'Gifts that are spent, expired or cancelled.', examples: [7] }),
        },
        { description: 'How many gifts there are, on all pages.' },
      ),
      gifts: Type.Array(ref(MyGift), {
        description:
          'Sealed ones, then open ones, then past ones. Of the first two what expires first, then the oldest; of past ones the newest.',
      }),
      next: nullable<string>('string', {
        description: 'Send it as `after` to read on; null at the end.',
        examples: [null],
      }),
    },
    { description: 'The gifts of the caller.' },
  ),
);
export type MyGiftPage = Static<typeof MyGiftPage>;

export const MyGiftQuery = strictQuery({
  standing: Type.Optional(oneOf(standings, { description: 'Only gifts that stand like this.' })),
  size: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Gifts on a page.' }),
  after: Type.Optional(
    Type.String({ maxLength: 80, description: 'The `next` of the page before. From the first gift when absent.' }),
  ),
});
export type MyGiftQuery = Static<typeof MyGiftQuery>;

export const MyClaim = named(
  'MyClaim',
  Type.Object(
    {
      code: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 20,
          format: 'text',
          description: 'The verification code that was emailed.',
          examples: ['204871'],
        }),
      ),
    },
    { description: 'How a gift is claimed. The body may be left out.', examples: [{}] },
  ),
);

const claimOutcomes = ['CLAIMED', 'CODE_SENT', 'CODE_WRONG', 'CODE_OVER', 'TOO_MANY_CODES'] as const;
export type MyClaimOutcome = (typeof claimOutcomes)[number];

export const MyClaimResult = named(
  'MyClaimResult',
  Type.Object(
    {
      outcome: oneOf(claimOutcomes, {
        description:
          'CLAIMED: the gift is claimed, now or since an earlier request. CODE_SENT: a verification code was emailed, now or a moment ago. CODE_WRONG: another code is right. CODE_OVER: no code is valid any more, so ask for another. TOO_MANY_CODES: ask for another tomorrow.',
        examples: ['CLAIMED'],
      }),
      gift: ref(MyGift, { description: 'The gift as it is now.' }),
    },
    { description: 'What came of a claim.' },
  ),
);
export type MyClaimResult = Static<typeof MyClaimResult>;

export const MyThanks = named(
  'MyThanks',
  Type.Object(
    {
      text: Type.String({
        minLength: 1,
        maxLength: 500,
        format: 'text',
        description: 'Plain text. Only the sender reads it.',
        examples: ['What a lovely surprise!'],
      }),
    },
    { description: 'A thank-you note to the sender of a gift.', examples: [{ text: 'What a lovely surprise!' }] },
  ),
);

export const MyGiftCodeRequest = named(
  'MyGiftCodeRequest',
  Type.Object(
    {
      spendingOption: Type.Optional(
        Type.String({
          maxLength: 40,
          format: 'text',
          description: 'The id of a spending option with a link: the response then has the link of its shop.',
          examples: ['book-shop'],
        }),
      ),
    },
    { description: 'What the code is for. The body may be left out.', examples: [{}] },
  ),
);

export const MyGiftCode = named(
  'MyGiftCode',
  Type.Object(
    {
      code: Type.String({ description: 'The gift code, for a till or a shop.', examples: ['7KQ2-M4XN-90TR-DA3V'] }),
      link: nullable<string>('string', {
        description: 'The URL of the shop with the code in it.',
        examples: [null],
      }),
    },
    { description: 'The code of a gift of the caller.' },
  ),
);

export const MyGiftParams = Type.Object({
  id: anId('The id of the gift.', 90210),
});

export const myGiftSchemas = [
  MyGift,
  MyGiftDetails,
  FirstToExpire,
  MyTotal,
  MyGiftPage,
  MyClaim,
  MyClaimResult,
  MyThanks,
  MyGiftCodeRequest,
  MyGiftCode,
];
