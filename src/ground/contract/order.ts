import Type, { type Static } from 'typebox';
import { IdempotencyHeader } from './idempotency.ts';
import { PageFields, PageQuery } from './paging.ts';
import { reasonId } from './reason.ts';
import { MemberReference, Recipient } from './recipient.ts';
import { examplePerson, named, nullable, oneOf, printable, query, ref, words } from './schema.ts';

export const maxGifts = 1_000;
const howMany = `must have 1 to ${maxGifts} gifts`;

export const giftMessage = Type.String({
  minLength: 1,
  maxLength: 1_000,
  format: 'text',
  description: 'Text sent with the gift. Its length counts after trimming.',
  examples: ['Thank you for the launch!'],
});

export const giftAmount = Type.Number({
  minimum: 1,
  maximum: 10_000,
  description: "Gift amount, with at most the currency's minor digits (CAD 2, JPY 0).",
  examples: [25],
});

export const currency = Type.String({
  format: 'currency',
  description: 'A current ISO 4217 code.',
  examples: ['CAD'],
});

const languageField = (description: string, example: string) =>
  Type.Optional(nullable<string>('string', { format: 'language-region', description, examples: [example] }));

export const language = languageField("Language and region as LL_CC; the workspace's language when absent.", 'EN_CA');

const momentOfDelivery = (description: string) =>
  Type.Optional(
    nullable<string>('string', { format: 'date-time', description, examples: ['2026-12-24T09:00:00-05:00'] }),
  );

export const deliverAt = momentOfDelivery(
  'When the gifts are emailed: a date and a time with a zone, up to a year ahead. They are issued at once, and emailed at once when absent.',
);

const note = Type.Optional(
  nullable<string>('string', {
    maxLength: 1_000,
    format: 'text',
    description:
      'What the gifts are for. Order details, order lists and the audit log show it; recipients never see it. Its length counts after trimming.',
    examples: ['Retention programme, approved in October'],
  }),
);

/** As many orders as one decision is about. */
const maxOrdersInBatch = 100;

const OrderBatch = named(
  'OrderBatch',
  Type.Object(
    {
      id: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: printable,
        description: 'The same in all orders of the batch, and new for each batch.',
        examples: ['year-end-thanks-2026'],
      }),
      orders: Type.Integer({
        minimum: 1,
        maximum: maxOrdersInBatch,
        description:
          'How many orders the batch has. Approvers are asked when all of them are here, or a minute after the last one came.',
        examples: [10],
      }),
      name: Type.Optional(
        nullable<string>('string', {
          maxLength: 200,
          format: 'text',
          description: 'What approvers read, for example the name of the file. Its length counts after trimming.',
          examples: ['year-end-thanks.csv'],
        }),
      ),
    },
    { description: 'Orders that are sent together because one order has 1,000 gifts at most.' },
  ),
);

const OrderItem = named(
  'OrderItem',
  Type.Object(
    {
      message: giftMessage,
      amount: giftAmount,
      recipient: ref(Recipient, { description: 'The person who gets the gift.' }),
      reasonId,
      deliverAt: momentOfDelivery(
        "When this gift is emailed: a date and a time with a zone, up to a year ahead; the order's deliverAt when absent. It is issued with the others, at once.",
      ),
      language: languageField("The language of this gift's emails and page; the order's when absent.", 'FR_CA'),
    },
    { description: 'One gift to one person.' },
  ),
);

export const OrderRequest = named(
  'OrderRequest',
  Type.Object(
    {
      orderItems: Type.Array(ref(OrderItem), {
        minItems: 1,
        maxItems: maxGifts,
        description: 'The gifts.',
        [words]: { minItems: howMany, maxItems: howMany },
      }),
      currency,
      language,
      deliverAt,
      sender: Type.Optional(
        ref(MemberReference, {
          description:
            'The member whose gifts these are: they draw on the budget of this member, and recipients read this name. The member that the token acts as when absent. Only tokens can name one, with the scope orders:delegate.',
        }),
      ),
      note,
      batch: Type.Optional(
        ref(OrderBatch, {
          description:
            'The batch that this order belongs to. Orders of a batch that one rule lets wait are one request to approvers, and one decision.',
        }),
      ),
    },
    {
      description: 'One to a thousand gifts. Unknown fields are ignored.',
      examples: [
        {
          orderItems: [{ message: 'Thank you for the launch!', amount: 25, recipient: { email: examplePerson.email } }],
          currency: 'CAD',
          language: 'EN_CA',
        },
      ],
      'x-amounts-fit-currency': true,
    },
  ),
);
export type OrderRequest = Static<typeof OrderRequest>;

export const OrderHeaders = Type.Object({
  'X-Customer-Request-Id': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: printable,
      description: 'A reference of your own, returned as customerRequestId. It need not be unique.',
      examples: ['payroll-2026-11-0042'],
    }),
  ),
  ...IdempotencyHeader,
});

/** Without an example: an order of the reader has to be there first. */
export const RequestIdParams = Type.Object({
  requestId: Type.String({ format: 'uuid', description: 'The requestId that creating the order returned.' }),
});
export type RequestIdParams = Static<typeof RequestIdParams>;

export const FindQuery = query(PageQuery);

export const orderRequestId = Type.String({
  format: 'uuid',
  description: 'Identifies the order request.',
  examples: ['019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f'],
});

export const OrderRequestStatus = named(
  'OrderRequestStatus',
  Type.Object(
    {
      requestId: orderRequestId,
      requestStatus: oneOf(['ACCEPTED', 'COMPLETED', 'FAILED'], {
        description: 'ACCEPTED until the gifts are issued, then COMPLETED or FAILED.',
      }),
      orderStep: oneOf(['PENDING', 'COMPLETED', 'FAILED'], { description: 'The same as `requestStatus`, as a step.' }),
      orderId: nullable<number>('integer', { description: 'Null until the order is completed.', examples: [4711] }),
      customerRequestId: nullable<string>('string', {
        description: 'The X-Customer-Request-Id of the request; null when none was sent.',
        examples: ['payroll-2026-11-0042'],
      }),
    },
    { description: 'How far an order request has come.' },
  ),
);
export type OrderRequestStatus = Static<typeof OrderRequestStatus>;

const Certificate = named(
  'Certificate',
  Type.Object(
    {
      id: Type.Integer({ description: 'Identifies the gift.', examples: [90210] }),
      currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
      senderName: Type.String({
        description:
          "The name of the order's sender or of the person who sent it; of a token's own order the name on the token, else the workspace's.",
        examples: ['Payroll'],
      }),
      recipientUser: Type.Integer({ description: 'The member id of the recipient.', examples: [7] }),
      amount: Type.Number({ description: 'What the gift is worth.', examples: [25] }),
      message: Type.String({ description: 'The text sent with the gift.', examples: ['Thank you for the launch!'] }),
      longToken: Type.String({ description: 'The secret in a gift link.' }),
      shortToken: Type.String({ description: 'The secret that a person can type.', examples: ['7Q2M-0XKD-93TA-HV5E'] }),
    },
    { description: 'One issued gift. Its tokens are secrets: a person who has one of them has the gift.' },
  ),
);

export const OrderRecord = named(
  'OrderRecord',
  Type.Object(
    {
      ...PageFields,
      id: nullable<number>('integer', { description: 'Order identifier (same as orderId).', examples: [4711] }),
      requestId: orderRequestId,
      state: oneOf(['PENDING', 'COMPLETED', 'FAILED'], {
        description: 'PENDING until the gifts are issued, then COMPLETED or FAILED.',
      }),
      status: oneOf(['INCOMPLETE', 'COMPLETE', 'FAILED'], { description: 'The same as `state`, in other words.' }),
      certificates: Type.Array(ref(Certificate), {
        description: 'The gifts on this page, in the order of orderItems.',
      }),
    },
    { description: 'An order with a page of its gifts.' },
  ),
);
export type OrderRecord = Static<typeof OrderRecord>;

export const orderSchemas = [OrderBatch, OrderItem, OrderRequest, OrderRequestStatus, Certificate, OrderRecord];
