import Type, { type Static } from 'typebox';
import { spacedName, unitFields, unitKind } from '../values/member.ts';
import { Team } from './member.ts';
import { fieldsOf, namedFields } from './member-fields.ts';
import { CsvQuery, PageFields, PageQuery } from './paging.ts';
import {
  aMoment,
  aMomentOrNull,
  anId,
  examplePerson,
  keepsNull,
  named,
  nullable,
  nullableRef,
  oneOf,
  ref,
  strictQuery,
} from './schema.ts';

/** So that sums stay exact as JSON numbers. */
const mostGranted = 1_000_000_000;
/** Far above what any gift costs, and what the database holds. */
const mostLimit = 99_999_999;

export const budgetCurrency = Type.String({ format: 'currency', description: 'ISO 4217 code.', examples: ['CAD'] });
export const money = (description: string, example: number) => Type.Number({ description, examples: [example] });
const given = (description: string, example: number) =>
  Type.Number({ exclusiveMinimum: 0, maximum: mostGranted, description, examples: [example] });
const note = Type.Optional(
  Type.String({
    format: 'text',
    maxLength: 200,
    description: 'What it is for, kept in the ledger permanently: name no people in it.',
    examples: ['Spring'],
  }),
);

const giftLimit = Type.Unsafe<number | null>({
  type: ['number', 'null'],
  exclusiveMinimum: 0,
  maximum: mostLimit,
  description: 'The most that one gift may cost; null: no limit.',
  examples: [100],
});
const lowPercents = Type.Array(Type.Integer({ minimum: 1, maximum: 99 }), {
  maxItems: 10,
  description:
    'When the budget counts as low, in percent of what was available after the latest grant: an event for each.',
  examples: [[20]],
});

export const NewAllowance = named(
  'NewAllowance',
  Type.Object(
    {
      amount: given('What is granted each time.', 500),
      every: oneOf(['MONTH', 'YEAR'], { description: 'How often it is granted.' }),
    },
    {
      description:
        "Money that is granted at once and at the beginning of every month or year in the workspace's time zone.",
    },
  ),
);
export type NewAllowance = Static<typeof NewAllowance>;

const Allowance = named(
  'Allowance',
  Type.Object(
    {
      amount: money('What is granted each time.', 500),
      every: oneOf(['MONTH', 'YEAR'], { description: 'How often it is granted.' }),
      nextAt: aMoment('When it is granted next.'),
    },
    { description: 'An allowance, and when it is due.' },
  ),
);

const everyPeriod = ['MONTH', 'YEAR'] as const;
const personCap = Type.Unsafe<number | null>({
  type: ['number', 'null'],
  exclusiveMinimum: 0,
  maximum: mostGranted,
  description:
    "The most that the orders of one person draw on it in a calendar month of the workspace's time zone; null: no cap.",
  examples: [200],
});
const lapses = Type.Unsafe<(typeof everyPeriod)[number] | null>({
  anyOf: [{ type: 'string', enum: everyPeriod }, { type: 'null' }],
  description:
    "When the available amount lapses: at the end of each month or year in the workspace's time zone; null: it stays. Reserved money never lapses. Money that returns later lapses at the end of the period in which it returns. A yearly allowance cannot lapse each month.",
  examples: ['MONTH'],
});
const group = (description: string, example: string) =>
  Type.String({ format: 'text', minLength: 1, maxLength: 200, description, examples: [example] });
const units = namedFields(
  unitFields.toSorted(),
  (name) => `A ${name}, compared without case: the people who have it share the budget.`,
);

const terms = {
  giftLimit: Type.Optional(giftLimit),
  allowance: Type.Optional(nullableRef(NewAllowance, { description: 'null: none.' })),
  lowPercents: Type.Optional(lowPercents),
  personCap: Type.Optional(personCap),
  lapses: Type.Optional(lapses),
};

export const NewBudget = named(
  'NewBudget',
  Type.Object(
    {
      currency: budgetCurrency,
      memberId: Type.Optional(anId("The member who sends. Without an owner, it is the workspace's own budget.")),
      team: Type.Optional(group('The name of a team: its members share the budget.', 'Platform')),
      ...units,
      amount: Type.Optional(given('Granted at once.', 5_000)),
      note,
      ...terms,
    },
    {
      description: 'A budget to set.',
      examples: [{ currency: 'CAD', amount: 5_000, giftLimit: 100 }],
      [keepsNull]: true,
    },
  ),
);
export type NewBudget = Static<typeof NewBudget>;

export const BudgetChange = named(
  'BudgetChange',
  Type.Object(
    { ...terms, ...units },
    {
      description:
        'What to change about a budget; fields that are left out stay as they are. A shared budget follows a cost centre or department that was renamed.',
      examples: [{ giftLimit: 250 }],
      [keepsNull]: true,
    },
  ),
);
export type BudgetChange = Static<typeof BudgetChange>;

export const MoneyGrant = named(
  'MoneyGrant',
  Type.Object(
    { amount: given('How much.', 500), note },
    { description: 'An amount to grant or to withdraw.', examples: [{ amount: 500, note: 'Spring' }] },
  ),
);
export type MoneyGrant = Static<typeof MoneyGrant>;

const BudgetMember = named(
  'BudgetMember',
  Type.Object(
    {
      id: Type.Integer({ description: 'The member id.', examples: [7] }),
      employeeNumber: nullable<string>('string', {
        description: "The company's own number for the person.",
        examples: [examplePerson.employeeNumber],
      }),
      firstName: Type.String({ description: 'Empty where it is not known.', examples: [examplePerson.firstName] }),
      lastName: Type.String({ description: 'Empty where it is not known.', examples: [examplePerson.lastName] }),
    },
    { description: 'The member whose budget it is.' },
  ),
);

const budgetLevels = ['ENOUGH', 'LOW', 'EXHAUSTED'] as const;
export const drawnKinds = ['WORKSPACE', 'MEMBER', 'TEAM', ...unitFields.toSorted().map(unitKind)] as const;
const budgetKinds = [...drawnKinds, 'UNLIMITED'] as const;

export const Budget = named(
  'Budget',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the budget.', examples: [4] }),
      kind: oneOf(budgetKinds, {
        description:
          'Whose budget it is. An order draws on the budget of its sender, else on that of their team, else of their cost centre, else of their department, else on the one of the workspace. UNLIMITED: not a budget, but the book of the gifts that were sent without one.',
      }),
      member: nullableRef(BudgetMember, { description: "Whose budget it is, if it is a member's." }),
      team: nullableRef(Team, { description: "Whose budget it is, if it is a team's." }),
      ...fieldsOf(unitFields.toSorted(), (name) =>
        nullable<string>('string', {
          description: `Whose budget it is, if it is a ${spacedName(name)}'s.`,
          examples: [null],
        }),
      ),
      currency: budgetCurrency,
      granted: money('What was granted, less what was withdrawn.', 5_000),
      available: money('What new orders can draw on.', 3_900),
      committed: money('Reserved for orders whose gifts are not issued yet.', 100),
      issued: money('In gifts that are not redeemed.', 700),
      redeemed: money('What recipients have redeemed.', 300),
      spent: money('Issued and redeemed.', 1_000),
      level: oneOf(budgetLevels, {
        description: 'LOW: it has reached a threshold. EXHAUSTED: less is available than the smallest gift costs.',
      }),
      giftLimit,
      personCap,
      lapses,
      lapsesAt: aMomentOrNull('When the available amount lapses next; null: it stays.', null),
      allowance: nullableRef(Allowance, { description: 'What is granted regularly.' }),
      lowPercents,
      entries: Type.Integer({ description: 'How many entries its chain in the ledger has.', examples: [12] }),
      head: Type.String({
        description:
          'The hash of the latest entry. Keep it elsewhere, to prove later that the chain was not rewritten.',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
      closedAt: aMomentOrNull('When it was closed; null while orders draw on it.', null),
    },
    { description: 'A budget with its balances. granted = available + committed + issued + redeemed.' },
  ),
);
export type Budget = Static<typeof Budget>;

export const BudgetPage = named(
  'BudgetPage',
  Type.Object(
    { ...PageFields, budgets: Type.Array(ref(Budget), { description: 'In the order of their ids.' }) },
    { description: 'A page of budgets.' },
  ),
);
export type BudgetPage = Static<typeof BudgetPage>;

export const BudgetQuery = strictQuery({
  currency: Type.Optional(budgetCurrency),
  member: Type.Optional(anId('Only budgets of the member with this id.')),
  sender: Type.Optional(anId('Only the budgets that orders of the member with this id draw on, one in each currency.')),
  includeClosed: Type.Boolean({ default: false, description: 'true: includes budgets that were closed.' }),
  ...CsvQuery,
  ...PageQuery,
});
export type BudgetQuery = Static<typeof BudgetQuery>;

export const EntryQuery = strictQuery({ ...CsvQuery, ...PageQuery });
export type EntryQuery = Static<typeof EntryQuery>;

export const BudgetParams = Type.Object({
  id: anId('The id of the budget.'),
});

export const EntryParams = Type.Object({
  ...BudgetParams.properties,
  number: anId('The number of the entry.', 1),
});

export const budgetSchemas = [
  NewAllowance,
  Allowance,
  NewBudget,
  BudgetChange,
  MoneyGrant,
  BudgetMember,
  Budget,
  BudgetPage,
];
