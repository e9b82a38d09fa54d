import Type, { type Static } from 'typebox';
import { unitFields } from '../values/member.ts';
import { roleNames } from './me.ts';
import { namedFields } from './member-fields.ts';
import { anId, keepsNull, named, nullable, oneOf, ref } from './schema.ts';

const sender = oneOf([...roleNames, 'EMPLOYEE'], {
  description: 'The role of the sender. EMPLOYEE: people of the directory who are not users.',
  examples: ['MANAGER'],
});
const role = oneOf([...roleNames], { description: 'A role in the workspace.', examples: ['MANAGER'] });
const text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, format: 'text', description, examples: [example] });

const RuleSource = named(
  'RuleSource',
  Type.Object(
    {
      role: Type.Optional(sender),
      ...namedFields(unitFields, (name) => `The sender's ${name}, ignoring case.`),
      teamId: Type.Optional(anId("The sender's team.", 3)),
      tokenId: Type.Optional(anId('The API token that sends the order.', 12)),
      automationId: Type.Optional(anId('The automation that sends the order.', 4)),
    },
    {
      description:
        'Whose orders: those with this role, department, cost centre, team, token or automation. One field at most. Empty: all orders.',
      examples: [{ role: 'MANAGER' }],
    },
  ),
);
export type RuleSource = Static<typeof RuleSource>;

const Approver = named(
  'Approver',
  Type.Object(
    {
      is: oneOf(['MEMBER', 'ROLE', 'MANAGER'], {
        description: "MEMBER: a named person. ROLE: everyone with a role. MANAGER: the sender's manager.",
      }),
      memberId: Type.Optional(anId('Of MEMBER: the id of the person.', 5)),
      role: Type.Optional(role),
    },
    { description: 'Who is asked.', examples: [{ is: 'MEMBER', memberId: 5 }] },
  ),
);
export type Approver = Static<typeof Approver>;

const RuleLevel = named(
  'RuleLevel',
  Type.Object(
    {
      approvers: Type.Array(ref(Approver), {
        minItems: 1,
        maxItems: 20,
        description: 'One of them decides.',
        examples: [[{ is: 'MANAGER' }]],
      }),
    },
    { description: 'Who decides at a level.' },
  ),
);
export type RuleLevel = Static<typeof RuleLevel>;

/** What an order is measured by. */
export const ruleMeasures = ['GIFT', 'ORDER', 'SENDER_MONTH', 'RECIPIENT_YEAR'] as const;

const fields = {
  name: text(100, 'What people call the rule.', 'Managers, over 250.00 CAD a gift'),
  isOn: Type.Boolean({ description: 'Whether the rule applies.', examples: [true] }),
  from: ref(RuleSource, { description: 'Whose orders. Empty: all orders.' }),
  measure: oneOf([...ruleMeasures], {
    description:
      "GIFT: the order's largest gift. ORDER: the order's total. SENDER_MONTH: what its sender sends in the calendar month. RECIPIENT_YEAR: what one of its recipients receives in the calendar year. Both include the order, and are in the workspace's time zone.",
    examples: ['GIFT'],
  }),
  currency: Type.String({ format: 'currency', description: 'ISO 4217 code.', examples: ['CAD'] }),
  above: Type.Number({
    minimum: 0,
    maximum: 99_999_999,
    description: 'The rule fits orders above this amount. 0: every order in the currency.',
    examples: [250],
  }),
  outcome: oneOf(['ASK', 'REJECT'], {
    description: 'ASK: the order waits for approval. REJECT: it is rejected with the message.',
    examples: ['ASK'],
  }),
  levels: Type.Array(ref(RuleLevel), {
    maxItems: 2,
    description: 'Of ASK: one or two levels. The second is asked after the first has approved.',
  }),
  days: nullable<number>('integer', {
    minimum: 1,
    maximum: 90,
    description: 'Of ASK: how many days each level has. After that the order is declined.',
    examples: [7],
  }),
  message: nullable<string>('string', {
    minLength: 1,
    maxLength: 500,
    format: 'text',
    description: 'Of REJECT: what the sender reads.',
    examples: [null],
  }),
};
const position = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'Rules are tried from 1 on; the first that fits decides.',
  examples: [1],
});

export const NewRule = named(
  'NewRule',
  Type.Object(
    {
      ...fields,
      isOn: Type.Optional(fields.isOn),
      from: Type.Optional(fields.from),
      levels: Type.Optional(fields.levels),
      days: Type.Optional(fields.days),
      message: Type.Optional(fields.message),
      position: Type.Optional(position),
    },
    {
      description: 'A rule to add. Without a position it comes last.',
      examples: [
        {
          name: 'Managers, over 250.00 CAD a gift',
          from: { role: 'MANAGER' },
          measure: 'GIFT',
          currency: 'CAD',
          above: 250,
          outcome: 'ASK',
          levels: [{ approvers: [{ is: 'ROLE', role: 'APPROVER' }] }],
          days: 7,
        },
      ],
    },
  ),
);
export type NewRule = Static<typeof NewRule>;

export const RuleChange = named(
  'RuleChange',
  Type.Partial(Type.Object({ ...fields, position }), {
    description: 'What to change about a rule; fields that are left out stay as they are.',
    examples: [{ isOn: false }],
    [keepsNull]: true,
  }),
);
export type RuleChange = Static<typeof RuleChange>;

export const Rule = named(
  'Rule',
  Type.Object(
    { id: Type.Integer({ description: 'Identifies the rule.', examples: [1] }), position, ...fields },
    { description: 'When an order waits for approval or is rejected.' },
  ),
);
export type Rule = Static<typeof Rule>;

/** What acceptance has to know of a rule to see whether it may fit an order. */
export type RuleCondition = Pick<Rule, 'from' | 'measure' | 'currency' | 'above'>;

export const RuleList = named(
  'RuleList',
  Type.Object(
    { rules: Type.Array(ref(Rule), { description: 'In the order in which they are tried.' }) },
    { description: 'All rules of the workspace.' },
  ),
);
export type RuleList = Static<typeof RuleList>;

export const RuleParams = Type.Object({ id: anId('The id of the rule.', 1) });

export const ruleSchemas = [RuleSource, Approver, RuleLevel, NewRule, RuleChange, Rule, RuleList];
