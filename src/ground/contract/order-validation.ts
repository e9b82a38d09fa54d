import Type, { type Static } from 'typebox';
import { notEmail } from '../values/email.ts';
import { ExpectedRule } from './approval.ts';
import { drawnKinds } from './budget.ts';
import { GiftRecipient } from './gift.ts';
import { aMoment, named, nullable, nullableRef, oneOf, ref } from './schema.ts';

const position = (description: string) => nullable<number>('integer', { description, examples: [0] });
const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] });

const OrderFault = named(
  'OrderFault',
  Type.Object(
    {
      path: nullable<string>('string', {
        description: 'Where it is; null for what concerns the order as a whole.',
        examples: ['orderItems[2].recipient.email'],
      }),
      item: position('The position of the invalid gift in orderItems; null for problems of the whole order.'),
      problem: Type.String({ description: 'What is wrong.', examples: [notEmail] }),
    },
    { description: 'Something for which the order would be refused.' },
  ),
);

const GiftTwin = named(
  'GiftTwin',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of its certificate.', examples: [90210] }),
      issuedAt: aMoment('When it was issued.', '2026-11-02T14:03:27.498Z'),
    },
    { description: 'A gift of the same amount that the same person got lately.' },
  ),
);

const recipientOutcomes = ['FOUND', 'NEW', 'LEFT', 'UNKNOWN', 'UNSEEN', 'INVALID'] as const;

const OrderItemValidation = named(
  'OrderItemValidation',
  Type.Object(
    {
      outcome: oneOf(recipientOutcomes, {
        description:
          'Who the recipient is. FOUND: a member. NEW: a person whom the order adds. LEFT: a member who has left. UNKNOWN: an unknown employee number, in a workspace that rejects those; for a manager, one that none of their reports has. UNSEEN: for a manager, a person who is not one of their reports; the response does not say whether they are a member. INVALID: the recipient is not valid.',
      }),
      member: nullableRef(GiftRecipient, { description: 'The member; null for a new person.' }),
      address: nullable<string>('string', {
        description: 'Where the email about the gift would go; null: it cannot be emailed, and has to be printed.',
        examples: ['grace.kowalski@example.com'],
      }),
      sameAs: position(
        'The position of the first gift of this order to the same person; null where this is the first.',
      ),
      twin: nullableRef(GiftTwin, {
        description:
          'The latest gift of the same amount and currency that this person was sent in the last 30 days and that was not cancelled.',
      }),
      probably: nullableRef(GiftRecipient, {
        description:
          'The member whom an employee number without an email address probably means, if a spreadsheet has damaged it: 77 for 0077, 1.23457E+11 for a number of twelve digits. Null if no member or more than one comes into question. The order does not use it.',
      }),
    },
    { description: 'What would become of one gift.' },
  ),
);

const OrderBudget = named(
  'OrderBudget',
  Type.Object(
    {
      available: Type.Number({ description: 'What is there for new orders.', examples: [3_900] }),
      left: Type.Number({
        description: 'What this order would leave; negative: by how much it does not fit.',
        examples: [3_875],
      }),
      giftLimit: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: 'The most that one gift may cost; null: no limit.',
        examples: [100],
      }),
      isOwn: Type.Boolean({
        description: "true: the sender's own budget. false: a shared one, or the workspace's.",
        examples: [false],
      }),
      id: Type.Integer({ description: 'The id of the budget.', examples: [4] }),
      kind: oneOf(drawnKinds, { description: 'Whose budget it is.' }),
      name: nullable<string>('string', {
        description: "The member, team, cost centre or department whose budget it is; null: the workspace's.",
        examples: ['Sales'],
      }),
      personLeft: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description:
          'What the sender can still draw on it this month, before this order; null: no cap for each person.',
        examples: [120],
      }),
    },
    { description: 'The budget on which an order would draw.' },
  ),
);

export const OrderValidation = named(
  'OrderValidation',
  Type.Object(
    {
      valid: Type.Boolean({ description: 'Whether the order would be accepted now.', examples: [true] }),
      gifts: count('How many gifts it has.'),
      currency: nullable<string>('string', { description: 'Null if it is invalid.', examples: ['CAD'] }),
      total: Type.Number({ description: 'The sum of the valid amounts.', examples: [25] }),
      budget: nullableRef(OrderBudget, { description: 'Null: nothing limits what the order costs.' }),
      rule: nullableRef(ExpectedRule, {
        description: 'The rule that would apply; null: the order would be sent immediately.',
      }),
      faults: Type.Array(ref(OrderFault), { description: 'Why the order would be refused.' }),
      ignored: Type.Array(Type.String(), {
        description:
          'Fields of the request that an order does not have, such as mistyped ones. An order ignores them. A field that several gifts have is listed once, at its first place, and at most 20 are listed.',
        examples: [['orderItems[0].deliver_at']],
      }),
      counts: Type.Object(
        {
          atFault: count('Gifts with a fault.'),
          found: count('Gifts to members.'),
          added: count('People whom the order adds to the directory.'),
          left: count('Gifts to people who have left.'),
          repeated: count('Gifts to a person who has another one in this order.'),
          twins: count('Gifts that have a twin.'),
          withoutAddress: count('Gifts that cannot be emailed.'),
        },
        { description: 'How many of each.' },
      ),
      items: Type.Array(ref(OrderItemValidation), { description: 'One for each gift, in the order of orderItems.' }),
    },
    { description: 'What would become of an order.' },
  ),
);
export type OrderValidation = Static<typeof OrderValidation>;

export const orderValidationSchemas = [OrderFault, GiftTwin, OrderItemValidation, OrderBudget, OrderValidation];
