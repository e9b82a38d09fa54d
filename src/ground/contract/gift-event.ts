import Type from 'typebox';
import { spendingOptionKinds } from '../values/spending-kinds.ts';
import { EventActor } from './actor.ts';
import { named, oneOf, ref } from './schema.ts';

export const requestId = Type.String({
  format: 'uuid',
  description: 'The requestId of the order.',
  examples: ['019a8c1e-5b1f-7c3a-9d2e-0f4b6a8c1e5b'],
});

/** What every event about a gift has. */
export const giftFields = {
  giftId: Type.Integer({ description: 'The id of the gift: of its certificate.', examples: [90_210] }),
  requestId,
  memberId: Type.Integer({ description: 'The member who gets the gift.', examples: [17] }),
};

const by = (description: string) =>
  Type.Optional(Type.Unsafe<EventActor>({ ...ref(EventActor), description, examples: [{ is: 'TOKEN', id: 3 }] }));

/** What events have about things that callers do to gifts. */
export const doneBy = {
  by: by('The caller who did it; absent: the recipient did, or the event is older than this field.'),
};

export const GiftData = named('GiftEventData', Type.Object(giftFields));

export const GiftActionData = named('GiftActionData', Type.Object({ ...giftFields, ...doneBy }));

export const GiftDeliveryFailedData = named(
  'GiftDeliveryFailedData',
  Type.Object({
    ...giftFields,
    status: Type.String({
      description: 'What the mail server answered: its enhanced status code, else its reply code, else UNKNOWN.',
      examples: ['5.1.1'],
    }),
    by: by('The caller who reported that the email came back; absent: the mail server rejected it.'),
  }),
);

export const RedemptionData = named(
  'RedemptionEventData',
  Type.Object({
    ...giftFields,
    redemptionId: Type.Integer({ description: 'The id of the redemption.', examples: [312] }),
    spendingId: Type.Optional(
      Type.Integer({
        description: 'Of gifts that were spent together: the id of the first of their redemptions; absent: alone.',
        examples: [312],
      }),
    ),
    kind: oneOf(spendingOptionKinds, { description: 'How it is spent.' }),
    spendingOption: Type.String({ description: 'The id of the spending option.', examples: ['payroll'] }),
    amount: Type.Number({ description: 'How much of the gift it is.', examples: [10] }),
    currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
    ...doneBy,
  }),
);
