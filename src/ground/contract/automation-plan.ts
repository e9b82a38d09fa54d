import Type, { type Static } from 'typebox';
import { NewAutomation } from './automation.ts';
import { anId, named, nullable, nullableRef, oneOf, ref } from './schema.ts';

export const dayField = (description: string) => Type.String({ format: 'date', description, examples: ['2027-03-13'] });
const amountOf = (description: string) => Type.Number({ description, examples: [100] });
const count = (description: string) => Type.Integer({ description, examples: [4] });
export const momentField = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2027-03-12T12:00:00.000Z'] });

export const personFields = {
  memberId: Type.Integer({ description: 'The id of the person.', examples: [7] }),
  firstName: Type.String({ description: 'The first name that people see.', examples: ['Priya'] }),
  lastName: Type.String({ description: 'The last name that people see.', examples: ['Nair'] }),
};
export const occasionFields = {
  forDay: dayField('The day that is celebrated.'),
  years: nullable<number>('integer', { description: 'Of an anniversary: how many.', examples: [10] }),
};

/** One person on one day of the plan. */
const PlannedOccurrence = named(
  'PlannedOccurrence',
  Type.Object(
    {
      ...personFields,
      ...occasionFields,
      dueAt: momentField('When it goes out.'),
      timeZone: Type.String({ description: 'The time zone that decides the hour.', examples: ['America/Halifax'] }),
      language: nullable<string>('string', {
        description: 'The language of the message; null if no message fits.',
        examples: ['EN'],
      }),
      amount: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: 'Of a gift: its amount.',
        examples: [250],
      }),
      hasEmail: Type.Boolean({ description: 'Whether the person has an email address.', examples: [true] }),
      isSkipped: Type.Boolean({ description: 'Whether it was skipped beforehand.', examples: [false] }),
    },
    { description: 'What an automation will do for one person.' },
  ),
);
export type PlannedOccurrence = Static<typeof PlannedOccurrence>;

const PlannedMonth = named(
  'PlannedMonth',
  Type.Object(
    {
      month: Type.String({ pattern: '^\\d{4}-\\d\\d$', description: 'The month.', examples: ['2027-03'] }),
      people: count('How many occurrences it has.'),
      amount: amountOf('What its gifts cost.'),
      available: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: 'What the budget has for this month, after the months before it; null if no budget applies.',
        examples: [1000],
      }),
      short: amountOf('By how much the budget is short in this month; 0 if it suffices, or if no budget applies.'),
      unpaid: count('How many of its gifts the budget cannot pay.'),
      first: Type.Array(ref(PlannedOccurrence), { description: 'The first six.' }),
    },
    { description: 'A month of the plan.' },
  ),
);
export type PlannedMonth = Static<typeof PlannedMonth>;

const PlanPerson = named(
  'PlanPerson',
  Type.Object(personFields, { description: 'A person, with the name that people see.' }),
);

const MissedPeople = named(
  'MissedPeople',
  Type.Object(
    {
      why: oneOf(['NO_DATE', 'NO_EMAIL', 'NO_MESSAGE', 'NO_VALUE', 'NO_MANAGER'], {
        description:
          'NO_DATE: no birthday or hireDate, so they are left out. NO_EMAIL: the gift has to be printed. NO_MESSAGE: none in their language. NO_VALUE: a placeholder has no value for them. NO_MANAGER: no manager who could send or be asked.',
        examples: ['NO_DATE'],
      }),
      what: nullable<string>('string', { description: 'The language or the placeholder.', examples: ['ES'] }),
      people: count('How many people.'),
      first: Type.Array(ref(PlanPerson), { description: 'The first five.' }),
    },
    { description: 'People whom a plan misses, or reaches only in part.' },
  ),
);

const PlanSample = named(
  'PlanSample',
  Type.Object(
    {
      ...PlannedOccurrence.properties,
      senderName: Type.String({ description: 'Whose name the person reads.', examples: ['Ada Okafor'] }),
      values: Type.Record(Type.String(), Type.String(), {
        description:
          'The values of the placeholders for this person, in the language of the message. A value that they do not have is absent.',
        examples: [{ firstName: 'Priya', years: '10 years', company: 'Northwind Labs' }],
      }),
    },
    { description: 'The next person who gets the message in a language, to show how they read it.' },
  ),
);

const PlanTotal = named(
  'PlanTotal',
  Type.Object(
    { people: count('Different people.'), occurrences: count('Occurrences.'), amount: amountOf('What they cost.') },
    { description: 'The sums of twelve months.' },
  ),
);

const PlanDifference = named(
  'PlanDifference',
  Type.Object(
    {
      before: ref(PlanTotal, { description: 'The sums before the change.' }),
      added: count('Occurrences that the change adds.'),
      removed: count('Occurrences that the change removes.'),
      moved: count('Occurrences that go out at another time.'),
      larger: count('Gifts that get larger.'),
      smaller: count('Gifts that get smaller.'),
    },
    { description: 'What a change does to the twelve months.' },
  ),
);

export const PlanRequest = named(
  'PlanRequest',
  Type.Object(
    {
      terms: ref(NewAutomation, { description: 'The automation as it would be.' }),
      automationId: Type.Optional(anId('The automation that would be changed: the plan shows the differences.', 4)),
      month: Type.Optional(
        Type.String({ pattern: '^\\d{4}-\\d\\d$', description: 'The month to list.', examples: ['2027-03'] }),
      ),
    },
    {
      description: 'What to plan. Nothing is stored.',
      examples: [
        {
          terms: {
            name: 'Birthdays',
            trigger: { is: 'BIRTHDAY' },
            action: { is: 'GIFT', currency: 'CAD', amount: 25 },
            messages: { EN: 'Happy birthday, {firstName}!' },
          },
        },
      ],
    },
  ),
);
export type PlanRequest = Static<typeof PlanRequest>;

export const AutomationPlan = named(
  'AutomationPlan',
  Type.Object(
    {
      currency: nullable<string>('string', { description: 'Of a gift: its currency.', examples: ['CAD'] }),
      total: ref(PlanTotal, { description: 'The sums.' }),
      months: Type.Array(ref(PlannedMonth), {
        description:
          'Thirteen months: the rest of the current one first, and the last until the same day of the next year.',
      }),
      listed: Type.Array(ref(PlannedOccurrence), { description: 'The first 1,000 of the month that was asked for.' }),
      passed: Type.Array(ref(PlannedOccurrence), {
        description:
          'The first 50 whose hour passed in the last 24 hours, before the automation was turned on: it does nothing for them, but they can be run by hand.',
      }),
      missed: Type.Array(ref(MissedPeople), { description: 'Whom it misses.' }),
      samples: Type.Array(ref(PlanSample), { description: 'The next person of each language that people read.' }),
      difference: nullableRef(PlanDifference, { description: 'Null without an automationId.' }),
    },
    { description: 'The next twelve months of an automation: who, when, how much.' },
  ),
);
export type AutomationPlan = Static<typeof AutomationPlan>;

const AutomationOutlook = named(
  'AutomationOutlook',
  Type.Object(
    {
      automationId: Type.Integer({ description: 'The automation.', examples: [4] }),
      next: nullableRef(PlannedOccurrence, { description: 'What it does next.' }),
      soon: Type.Array(ref(PlannedOccurrence), { description: 'The first ten of the next 30 days.' }),
      people: count('How many occurrences the next 30 days have.'),
      amount: amountOf('What they cost.'),
      shortMonth: nullable<string>('string', {
        description: 'The first month in which money is short.',
        examples: ['2027-03'],
      }),
      short: amountOf('By how much in that month.'),
      waiting: count('Occurrences whose order waits for approval.'),
      notDone: count(
        'Occurrences of the last 30 days that could not be done, or whose message went out without the gift.',
      ),
    },
    { description: 'What comes next in an automation, and what needs care.' },
  ),
);
export type AutomationOutlook = Static<typeof AutomationOutlook>;

export const AutomationOutlooks = named(
  'AutomationOutlooks',
  Type.Object(
    { outlooks: Type.Array(ref(AutomationOutlook), { description: 'Of the automations that are on.' }) },
    { description: 'What comes next.' },
  ),
);
export type AutomationOutlooks = Static<typeof AutomationOutlooks>;

export const planSchemas = [
  PlannedOccurrence,
  PlannedMonth,
  PlanPerson,
  MissedPeople,
  PlanSample,
  PlanTotal,
  PlanDifference,
  PlanRequest,
  AutomationPlan,
  AutomationOutlook,
  AutomationOutlooks,
];
