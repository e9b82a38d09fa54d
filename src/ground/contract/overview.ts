import Type, { type Static } from 'typebox';
import { CsvQuery } from './paging.ts';
import { SpanFields, SpanQuery } from './report-span.ts';
import {
  aMoment,
  aMomentOrNull,
  examplePerson,
  named,
  nullable,
  nullableRef,
  oneOf,
  ref,
  strictQuery,
} from './schema.ts';

export const Amount = named(
  'Amount',
  Type.Object(
    {
      currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
      amount: Type.Number({ description: 'The sum.', examples: [9640] }),
    },
    { description: 'A sum of money in one currency.' },
  ),
);
export type Amount = Static<typeof Amount>;
const amounts = Type.Array(ref(Amount), { description: 'A sum for each currency, that of the most gifts first.' });

const steps = ['day', 'week', 'month'] as const;

export const SeriesQuery = strictQuery({
  by: oneOf(steps, { default: 'week', description: 'The length of each step. Weeks begin on Monday.' }),
  ...SpanQuery,
  ...CsvQuery,
});
export type SeriesQuery = Static<typeof SeriesQuery>;

const SeriesPoint = named(
  'SeriesPoint',
  Type.Object(
    {
      from: SpanFields.from,
      to: SpanFields.to,
      gifts: Type.Integer({ description: 'How many gifts.', examples: [46] }),
      shoutouts: Type.Integer({ description: 'Approved ones, by the day on which they were given.', examples: [74] }),
      amounts,
    },
    { description: 'What was given in one step of a series.' },
  ),
);
export type SeriesPoint = Static<typeof SeriesPoint>;

export const Series = named(
  'Series',
  Type.Object(
    {
      by: oneOf(steps, { description: 'The length of each step.' }),
      ...SpanFields,
      points: Type.Array(ref(SeriesPoint), {
        description: 'In the sequence of time, without gaps. The first and the last may be shorter than a step.',
      }),
    },
    { description: 'Recognition over time.' },
  ),
);
export type Series = Static<typeof Series>;

export const OverviewQuery = strictQuery({
  asOf: SpanQuery.asOf,
});
export type OverviewQuery = Static<typeof OverviewQuery>;

const count = (what: string) => Type.Integer({ description: `${what} Counted up to 1,000.`, examples: [3] });

const FailedGift = named(
  'FailedGift',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the gift.', examples: [90210] }),
      firstName: Type.String({ description: 'The first name of its recipient.', examples: [examplePerson.firstName] }),
      lastName: Type.String({ description: 'The last name of its recipient.', examples: [examplePerson.lastName] }),
      at: aMoment('When its email failed.', '2026-11-16T09:12:40.000Z'),
    },
    { description: 'The gift whose mail failed last.' },
  ),
);

const Attention = named(
  'Attention',
  Type.Object(
    {
      failedGifts: count('Gifts whose mail could not be sent.'),
      latestFailure: nullableRef(FailedGift, { description: 'The gift whose email failed last.' }),
      giftsWithoutAddress: count('Gifts whose recipient has no email address.'),
      expiringGifts: count('Unclaimed gifts that expire within seven days.'),
      expiringAmounts: amounts,
      firstExpiry: aMomentOrNull('When the first of them expires.', '2026-11-20T05:00:00.000Z'),
      waitingShoutouts: count('Shoutouts that wait for approval.'),
      oldestWaiting: aMomentOrNull('When the oldest of them was given.', '2026-11-13T08:30:00.000Z'),
      failedOrders: count(
        'Orders of the last 30 days that failed. Orders that were declined, or not decided in time, do not count.',
      ),
      notDoneOccurrences: count(
        'What automations could not do in the last 30 days, and messages that went out without their gift.',
      ),
      lowBudgets: count('Budgets that have reached a threshold.'),
      exhaustedBudgets: count('Budgets with less than the smallest gift costs.'),
      openRequests: count('Open requests of recipients.'),
      lowStocks: count('Shops and values in pools of codes of which few codes are left, or none.'),
      failingWebhooks: count('Endpoints that are disabled because they failed, or whose latest attempts failed.'),
      ledgerProblems: count('Problems that the latest verification of the ledger in the background found.'),
      lastOwnerLeavesOn: nullable<string>('string', {
        format: 'date',
        description:
          'The latest last day of the owners, if each of them has one: no owner stays after it. Until another user is an owner, the last one is not marked as left. Null if an owner stays.',
        examples: ['2027-03-31'],
      }),
    },
    { description: 'The open tasks.' },
  ),
);
export type Attention = Static<typeof Attention>;

const FirstSteps = named(
  'FirstSteps',
  Type.Object(
    {
      brand: Type.Boolean({ description: 'Whether the workspace has a name for recipients, a colour or a logo.' }),
      people: Type.Boolean({ description: 'Whether there are people.' }),
      email: Type.Boolean({ description: 'Whether gifts can be emailed, or the workspace prints them.' }),
      spendingOptions: Type.Boolean({ description: 'Whether a spending option was set.' }),
      budget: Type.Boolean({ description: 'Whether there is an open budget.' }),
    },
    { description: 'What a company has done before its first gift.' },
  ),
);
export type FirstSteps = Static<typeof FirstSteps>;

const OverviewSpan = named(
  'OverviewSpan',
  Type.Object(
    {
      from: SpanFields.from,
      to: SpanFields.to,
      gifts: Type.Integer({ description: 'How many gifts were given.', examples: [128] }),
      shoutouts: Type.Integer({ description: 'How many shoutouts were given.', examples: [301] }),
      amounts,
      people: Type.Integer({ description: 'People who were here on the last day.', examples: [412] }),
      recognized: Type.Integer({ description: 'How many of them were recognized.', examples: [214] }),
      claimed: Type.Integer({ description: 'Gifts that were claimed in these days.', examples: [98] }),
    },
    { description: 'The days of a month.' },
  ),
);
export type OverviewSpan = Static<typeof OverviewSpan>;

export const Overview = named(
  'Overview',
  Type.Object(
    {
      asOf: SpanFields.asOf,
      attention: ref(Attention, { description: 'What needs attention now.' }),
      current: ref(OverviewSpan, { description: 'This month so far.' }),
      before: ref(OverviewSpan, { description: 'As many days of the month before.' }),
      firstSteps: nullableRef(FirstSteps, {
        description:
          'What is done before the first gift; null once a gift was issued that no automation sent, and for managers.',
      }),
    },
    { description: 'What needs attention, and this month compared with the same days of the month before.' },
  ),
);
export type Overview = Static<typeof Overview>;

export const overviewSchemas = [Amount, SeriesPoint, Series, FailedGift, Attention, FirstSteps, OverviewSpan, Overview];
