import Type, { type Static } from 'typebox';
import { aMomentOrNull, anId, named, nullable, oneOf } from './schema.ts';

export const SpendingRequestDecision = named(
  'SpendingRequestDecision',
  Type.Object(
    {
      note: Type.Optional(
        Type.String({
          maxLength: 500,
          format: 'text',
          description: 'What the recipient reads on the page of the gift.',
          examples: ['Donated to the food bank on 3 December.'],
        }),
      ),
    },
    { description: 'What is said about a decision. The body may be left out.' },
  ),
);
export type SpendingRequestDecision = Static<typeof SpendingRequestDecision>;

export const SpendingRequestParams = Type.Object({
  id: anId('The id of the redemption.'),
});

export const SpendingRequest = named(
  'SpendingRequest',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the redemption.', examples: [312] }),
      giftId: Type.Integer({ description: 'The id of the gift.', examples: [90_210] }),
      state: oneOf(['REQUESTED', 'DONE', 'REVERSED', 'DECLINED'], {
        description: 'DECLINED: the gift has the amount back.',
        examples: ['DONE'],
      }),
      spendingOption: Type.String({ description: 'The id of the spending option.', examples: ['charity'] }),
      amount: Type.Number({ description: 'How much of the gift it is.', examples: [10] }),
      currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
      left: Type.Number({ description: 'What is left of the gift now.', examples: [15] }),
      requestText: nullable<string>('string', {
        description: 'What the recipient would like, in their own words.',
        examples: ['The food bank'],
      }),
      note: nullable<string>('string', { description: 'What the recipient reads.', examples: [null] }),
      finishedAt: aMomentOrNull('When it was decided.', '2026-11-02T14:03:27.512Z'),
    },
    { description: 'A request of a recipient, which the people team fulfils or declines.' },
  ),
);
export type SpendingRequest = Static<typeof SpendingRequest>;

export const spendingRequestSchemas = [SpendingRequestDecision, SpendingRequest];
