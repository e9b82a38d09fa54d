import Type, { type Static } from 'typebox';
import { spendingOptionKinds } from '../values/spending-kinds.ts';
import { Actor } from './actor.ts';
import { GiftRecipient } from './gift.ts';
import { CsvQuery, PageQuery } from './paging.ts';
import {
  aMoment,
  aMomentOrNull,
  anId,
  dayOrMoment,
  named,
  nullable,
  nullableRef,
  oneOf,
  ref,
  strictQuery,
} from './schema.ts';
import { taxTypes } from './spending-option.ts';

const redemptionStates = ['REQUESTED', 'DONE', 'REVERSED', 'DECLINED'] as const;
export type RedemptionState = (typeof redemptionStates)[number];

export const Redemption = named(
  'Redemption',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the redemption.', examples: [312] }),
      giftId: Type.Integer({ description: 'The id of the gift.', examples: [90210] }),
      requestId: Type.String({ format: 'uuid', description: 'The requestId of its order.' }),
      state: oneOf(redemptionStates, {
        description:
          'REQUESTED: the people team has to fulfil it. DONE: it is spent. REVERSED and DECLINED: the gift has the amount back.',
      }),
      kind: oneOf(spendingOptionKinds, { description: 'How it was spent.' }),
      spendingOption: Type.String({ description: 'The id of the spending option.', examples: ['payroll'] }),
      spendingOptionName: Type.String({
        description: 'What the spending option was called then.',
        examples: ['With the next salary'],
      }),
      taxType: oneOf(taxTypes, { description: 'What the tax log says about it.' }),
      retailer: nullable<string>('string', { description: 'Where it was spent, if known.', examples: [null] }),
      amount: Type.Number({ description: 'How much of the gift was spent.', examples: [10] }),
      currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
      left: Type.Number({ description: 'What is left of the gift now.', examples: [15] }),
      reference: nullable<string>('string', { description: "The till's reference.", examples: [null] }),
      requestText: nullable<string>('string', {
        description: 'Of a request: what the recipient would like, in their own words.',
        examples: [null],
      }),
      note: nullable<string>('string', {
        description: 'What was said when it was fulfilled, declined or reversed.',
        examples: [null],
      }),
      recipient: ref(GiftRecipient, { description: 'Whose gift it is.' }),
      redeemedAt: aMoment('When it was spent.', '2026-11-02T14:03:27.512Z'),
      redeemedBy: nullableRef(Actor, {
        description:
          'Who redeemed it at a till; null: the recipient did, on the page of the gift, or it is older than this field.',
        examples: [null],
      }),
      finishedAt: aMomentOrNull('When it got its state; null while it is REQUESTED.', '2026-11-02T14:03:27.512Z'),
      finishedBy: nullableRef(Actor, {
        description:
          'Who fulfilled, declined, reversed or voided it; null: no caller did, or it is older than this field.',
        examples: [null],
      }),
      payrollExport: nullable<number>('integer', {
        description: 'The number of the payroll export that pays it.',
        examples: [null],
      }),
      spendingId: nullable<number>('integer', {
        description:
          'Of gifts that were spent together: the id of the first of their redemptions, which all of them have. They are fulfilled, declined and reversed together. Null: it was spent alone.',
        examples: [null],
      }),
    },
    { description: 'A gift, or a part of it, that was spent.' },
  ),
);
export type Redemption = Static<typeof Redemption>;

export const RedemptionPage = named(
  'RedemptionPage',
  Type.Object(
    {
      redemptions: Type.Array(ref(Redemption), { description: 'The newest first.' }),
      next: nullable<number>('integer', {
        description: 'Send it as `after` to read on; null at the end.',
        examples: [null],
      }),
    },
    { description: 'A page of redemptions, and where to continue.' },
  ),
);
export type RedemptionPage = Static<typeof RedemptionPage>;

export const RedemptionQuery = strictQuery({
  state: Type.Optional(oneOf(redemptionStates, { description: 'Only redemptions in this state.' })),
  kind: Type.Optional(oneOf(spendingOptionKinds, { description: 'Only redemptions of this kind.' })),
  spendingOption: Type.Optional(
    Type.String({
      maxLength: 40,
      format: 'text',
      description: 'Only redemptions of the spending option with this id.',
    }),
  ),
  gift: Type.Optional(anId('Only redemptions of the gift with this id.')),
  from: dayOrMoment("Only redemptions from this day or moment on. A day begins and ends in the workspace's time zone."),
  to: dayOrMoment('Only redemptions up to the end of this day, or before this moment.'),
  size: PageQuery.size,
  after: Type.Optional(anId('The `next` of the page before. From the newest redemption when absent.')),
  ...CsvQuery,
});
export type RedemptionQuery = Static<typeof RedemptionQuery>;

export const RedemptionParams = Type.Object({
  id: anId('The id of the redemption.', 312),
});

export const redemptionSchemas = [Actor, Redemption, RedemptionPage];
