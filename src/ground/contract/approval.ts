import Type, { type Static } from 'typebox';
import { longest } from '../values/text.ts';
import { orderRequestId } from './order.ts';
import { PageFields, PageQuery } from './paging.ts';
import {
  aMoment,
  anId,
  examplePerson,
  named,
  nullable,
  nullableRef,
  oneOf,
  ref,
  strictQuery,
  words,
} from './schema.ts';
import { Shoutout } from './shoutout.ts';

const AskedPerson = named(
  'AskedPerson',
  Type.Object(
    {
      id: anId('The id of the member.', 5),
      name: Type.String({ description: 'Their name.', examples: ['Lucie Gagnon'] }),
    },
    { description: 'A person who is asked, or who decided.' },
  ),
);
export type AskedPerson = Static<typeof AskedPerson>;

const AppliedRule = named(
  'AppliedRule',
  Type.Object(
    {
      id: Type.Integer({
        description: 'Identifies the rule. It may have changed since, or been deleted.',
        examples: [1],
      }),
      name: Type.String({
        description: 'Its name when the order came.',
        examples: ['Managers, over 250.00 CAD a gift'],
      }),
    },
    { description: 'The rule that applied to an order.' },
  ),
);

const asked = {
  asked: Type.Array(ref(AskedPerson), {
    description:
      'Who may decide now. An empty list: every approver and every owner sent the order, requested it or receives a gift of it. It is declined when its time has passed. A manager sees recipients in this list too.',
  }),
  ownersAsked: Type.Boolean({
    description:
      'Whether owners are asked because no approver of the rule remains: they have left, cannot sign in, or are the sender or a recipient.',
    examples: [false],
  }),
  levels: Type.Integer({ description: 'How many levels decide.', examples: [1] }),
};

const OrderDecision = named(
  'OrderDecision',
  Type.Object(
    {
      level: Type.Integer({ description: 'The level that decided.', examples: [1] }),
      decision: oneOf(['APPROVED', 'DECLINED', 'EXPIRED'], { description: 'EXPIRED: no decision came in time.' }),
      by: nullableRef(AskedPerson, { description: 'Who decided; null if no decision came in time.' }),
      comment: nullable<string>('string', {
        description: 'Their comment for the sender.',
        examples: ['Well deserved.'],
      }),
      at: aMoment('When.', '2026-11-16T10:04:00.000Z'),
    },
    { description: 'What a level decided.' },
  ),
);

const ApprovalBatch = named(
  'ApprovalBatch',
  Type.Object(
    {
      id: Type.String({ description: 'As the orders name it.', examples: ['year-end-thanks-2026'] }),
      name: nullable<string>('string', {
        description: 'What the sender calls it, for example a file.',
        examples: ['year-end-thanks.csv'],
      }),
      orders: Type.Integer({
        description: 'How many orders the batch has, with those that do not wait.',
        examples: [10],
      }),
      isComplete: Type.Boolean({
        description: 'false: further orders may come, and approvers are not asked yet.',
        examples: [true],
      }),
      requestIds: Type.Array(orderRequestId, {
        description: 'The orders that one decision is about. Lists show the first.',
      }),
      gifts: Type.Integer({ description: 'How many gifts these orders have together.', examples: [9_500] }),
      total: Type.Number({ description: 'The sum of their amounts.', examples: [475_000] }),
    },
    { description: 'Orders of one batch that wait, or were decided, together.' },
  ),
);

export const approvalStates = ['WAITING', 'APPROVED', 'DECLINED', 'EXPIRED'] as const;

export const OrderApproval = named(
  'OrderApproval',
  Type.Object(
    {
      requestId: orderRequestId,
      state: oneOf([...approvalStates], { description: 'EXPIRED: declined, because no decision came in time.' }),
      rule: ref(AppliedRule, { description: 'The rule that asks for approval.' }),
      askedAt: aMoment(
        'When approvers were asked. An order or a shoutout waits since then.',
        '2026-11-15T17:31:00.000Z',
      ),
      decideBy: aMoment('When it is declined without a decision.', '2026-11-22T17:31:00.000Z'),
      level: Type.Integer({ description: 'The level that decides, or decided last.', examples: [1] }),
      ...asked,
      decisions: Type.Array(ref(OrderDecision), { description: 'What was decided so far.' }),
      customerRequestId: nullable<string>('string', {
        description: 'The reference of the order. The orders of one file have the same.',
        examples: ['year-end-thanks.csv'],
      }),
      sender: ref(AskedPerson, { description: 'Who sends the gifts.' }),
      gifts: Type.Integer({ description: 'How many gifts.', examples: [1] }),
      total: Type.Number({ description: 'The sum of their amounts.', examples: [400] }),
      currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
      note: nullable<string>('string', { description: 'What the gifts are for, as the order says.', examples: [null] }),
      byAutomation: Type.Boolean({
        description: 'Whether an automation ordered it. The note is then the name of the automation.',
        examples: [false],
      }),
      recipient: Type.String({
        description: 'The recipient of the first gift: the name or, if no name is known, the address or number.',
        examples: [examplePerson.email],
      }),
      message: Type.String({ description: 'The message of the first gift.', examples: ['Thank you for the launch!'] }),
      batch: nullableRef(ApprovalBatch, {
        description: 'The orders that are decided together with this one; null: it is decided alone.',
      }),
    },
    { description: 'An order that waits for approval, or was decided.' },
  ),
);
export type OrderApproval = Static<typeof OrderApproval>;

export const ExpectedRule = named(
  'ExpectedRule',
  Type.Object(
    {
      ...AppliedRule.properties,
      outcome: oneOf(['ASK', 'REJECT'], { description: 'ASK: the order would wait. REJECT: it would be rejected.' }),
      ...asked,
      days: nullable<number>('integer', {
        description: 'How many days each level has; null for REJECT.',
        examples: [7],
      }),
    },
    { description: 'The rule that would apply to an order, and who would be asked first.' },
  ),
);
export type ExpectedRule = Static<typeof ExpectedRule>;

const Approval = named(
  'Approval',
  Type.Object(
    {
      kind: oneOf(['ORDER', 'SHOUTOUT'], { description: 'One of `order` and `shoutout` is there.' }),
      askedAt: aMoment(
        'When approvers were asked. An order or a shoutout waits since then.',
        '2026-11-15T17:31:00.000Z',
      ),
      order: nullableRef(OrderApproval, { description: 'Of an order. POST /approvals/decisions decides it.' }),
      shoutout: nullableRef(Shoutout, {
        description: 'Of a shoutout. POST /shoutouts/{id}/approve and /decline decide it.',
      }),
    },
    { description: 'An order or a shoutout that waits for approval, or an order that was decided.' },
  ),
);
export type Approval = Static<typeof Approval>;

export const ApprovalPage = named(
  'ApprovalPage',
  Type.Object(
    {
      ...PageFields,
      totalIsMinimum: Type.Optional(
        Type.Boolean({
          description:
            'Only there, and true, if there are more than 1,000 orders. They are not all counted: totalElements and totalPages then say how many there are at least. A page that is followed by another one always says so.',
          examples: [true],
        }),
      ),
      approvals: Type.Array(ref(Approval), {
        description: 'What waits: the oldest first. What was decided: the newest first.',
      }),
    },
    { description: 'A page of approvals.' },
  ),
);
export type ApprovalPage = Static<typeof ApprovalPage>;

export const ApprovalQuery = strictQuery({
  state: oneOf([...approvalStates], {
    default: 'WAITING',
    description: 'Only those in this state. Shoutouts are listed while they wait.',
  }),
  mine: Type.Boolean({
    default: true,
    description: 'true: only what the caller may decide, or has decided. A manager always gets these.',
  }),
  sent: Type.Boolean({
    default: false,
    description: 'true: only orders that the caller has sent, in place of those to decide.',
  }),
  ...PageQuery,
});
export type ApprovalQuery = Static<typeof ApprovalQuery>;

export const OrderDecisions = named(
  'OrderDecisions',
  Type.Object(
    {
      requestIds: Type.Array(Type.String({ format: 'uuid' }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description:
          'The orders. They are decided together, or none is. One order of a batch stands for all that are asked about with it.',
        examples: [['019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f']],
        [words]: { uniqueItems: 'must name each order once' },
      }),
      decision: oneOf(['APPROVED', 'DECLINED'], { description: 'What the caller decides.', examples: ['APPROVED'] }),
      comment: Type.Optional(
        nullable<string>('string', {
          minLength: 1,
          maxLength: longest.comment,
          format: 'text',
          description: 'For the sender. Required to decline.',
          examples: ['Well deserved.'],
        }),
      ),
      level: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2,
          description:
            'The level that the caller saw. If one of the orders waits at another level now, the response is 409. Left out: the level at which each order waits.',
          examples: [1],
        }),
      ),
    },
    {
      description: 'A decision about one or more orders.',
      examples: [
        {
          requestIds: ['019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f'],
          decision: 'DECLINED',
          comment: 'Please send 250.00 CAD at most.',
        },
      ],
    },
  ),
);
export type OrderDecisions = Static<typeof OrderDecisions>;

export const DecidedOrders = named(
  'DecidedOrders',
  Type.Object(
    {
      orders: Type.Array(ref(OrderApproval), {
        description: 'In the order of `requestIds`, then those that were decided with them.',
      }),
    },
    { description: 'The orders as decided.' },
  ),
);

/** ExpectedRule and its parts belong to orders too. */
export const approvalSchemas = [
  AskedPerson,
  AppliedRule,
  OrderDecision,
  ApprovalBatch,
  OrderApproval,
  ExpectedRule,
  Approval,
  ApprovalPage,
  OrderDecisions,
  DecidedOrders,
];
