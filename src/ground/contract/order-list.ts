import Type, { type Static } from 'typebox';
import { OrderApproval } from './approval.ts';
import { OrderRequestStatus } from './order.ts';
import { PageFields, PageQuery } from './paging.ts';
import { dayOrMoment, examplePerson, named, nullable, nullableRef, oneOf, query, ref, strictQuery } from './schema.ts';

const moment = 'date-time';

const summary = {
  ...OrderRequestStatus.properties,
  senderName: Type.String({
    description: 'The name of its sender or of the person who sent it, else on the token, else of the workspace.',
    examples: ['Payroll'],
  }),
  acceptedAt: Type.String({
    format: moment,
    description: 'When it was accepted.',
    examples: ['2026-11-02T14:03:27.498Z'],
  }),
  finishedAt: nullable<string>('string', {
    format: moment,
    description: 'Null until the order is completed or has failed.',
    examples: ['2026-11-02T14:03:27.512Z'],
  }),
  gifts: Type.Integer({ description: 'How many gifts were ordered.', examples: [12] }),
  total: Type.Number({ description: 'The sum of their amounts.', examples: [300] }),
  currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
  failure: nullable<string>('string', { description: 'Why the order has failed; null otherwise.', examples: [null] }),
  note: nullable<string>('string', {
    description: 'What the gifts are for, as the order says; null where it does not. Recipients never see it.',
    examples: ['Retention programme, approved in October'],
  }),
};

export const OrderSummary = named(
  'OrderSummary',
  Type.Object(summary, { description: 'An order and how far it has come, without its gifts.' }),
);
export type OrderSummary = Static<typeof OrderSummary>;

export const OrderPage = named(
  'OrderPage',
  Type.Object(
    {
      orders: Type.Array(ref(OrderSummary), { description: 'The newest first.' }),
      next: nullable<string>('string', {
        format: 'uuid',
        description:
          'Send it as `after` to read on; null at the end. A page can have fewer orders than `size` though more follow: rare ones are searched in pieces.',
        examples: [null],
      }),
    },
    { description: 'A page of orders, and where to continue.' },
  ),
);
export type OrderPage = Static<typeof OrderPage>;

export const OrderListQuery = strictQuery({
  status: Type.Optional(
    oneOf(['ACCEPTED', 'COMPLETED', 'FAILED'], { description: 'Only orders with this requestStatus.' }),
  ),
  from: dayOrMoment(
    "Only orders accepted from this day or moment on. A day, for example 2026-11-02, begins and ends in the workspace's time zone.",
  ),
  to: dayOrMoment('Only orders accepted up to the end of this day, or before this moment.'),
  size: PageQuery.size,
  after: Type.Optional(
    Type.String({ format: 'uuid', description: 'The `next` of the page before. From the newest order when absent.' }),
  ),
});
export type OrderListQuery = Static<typeof OrderListQuery>;

const asOrdered = (example: string) =>
  nullable<string>('string', { description: 'As the order says.', examples: [example] });

const OrderLine = named(
  'OrderLine',
  Type.Object(
    {
      giftId: nullable<number>('integer', {
        description: 'The id of its gift; null until the order is completed.',
        examples: [90210],
      }),
      firstName: asOrdered(examplePerson.firstName),
      lastName: asOrdered(examplePerson.lastName),
      email: asOrdered(examplePerson.email),
      employeeNumber: asOrdered(examplePerson.employeeNumber),
      amount: Type.Number({ description: 'What it is worth.', examples: [25] }),
      message: Type.String({ description: 'The text sent with it.', examples: ['Thank you for the launch!'] }),
      deliverAt: nullable<string>('string', {
        format: moment,
        description: "When it is emailed: its own deliverAt, else the order's; null: at once.",
        examples: ['2026-12-24T09:00:00-05:00'],
      }),
      language: Type.String({
        description: "The language of its emails and page: its own, else the order's.",
        examples: ['EN_CA'],
      }),
    },
    {
      description:
        'One gift as it was ordered. The person is as the order names them; a name that it leaves out is the one in the directory.',
    },
  ),
);

export const OrderDetails = named(
  'OrderDetails',
  Type.Object(
    {
      ...summary,
      ...PageFields,
      approval: nullableRef(OrderApproval, {
        description:
          'Whom the order waits for and since when, or what was decided; null if no rule asked for approval.',
      }),
      lines: Type.Array(ref(OrderLine), { description: 'The lines on this page, in the order of orderItems.' }),
    },
    { description: 'An order with a page of its lines, as it was sent. It has no secret tokens.' },
  ),
);
export type OrderDetails = Static<typeof OrderDetails>;

export const OrderDetailsQuery = query(PageQuery);

export const orderListSchemas = [OrderSummary, OrderPage, OrderLine, OrderDetails];
