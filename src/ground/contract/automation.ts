import Type, { type Static } from 'typebox';
import { type Language, languages } from '../values/language.ts';
import { Audience, AudiencePart } from './audience.ts';
import { giftAmount } from './order.ts';
import { reasonId } from './reason.ts';
import { aMomentOrNull, anId, keepsNull, named, nullable, nullableId, oneOf, ref } from './schema.ts';

const text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, format: 'text', description, examples: [example] });
const days = (maximum: number, description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum, description, examples: [example] });

/** What an automation waits for. */
export const triggerKinds = ['BIRTHDAY', 'ANNIVERSARY', 'AFTER_HIRE', 'YEARLY', 'ONCE', 'UNRECOGNIZED'] as const;

const AutomationTrigger = named(
  'AutomationTrigger',
  Type.Object(
    {
      is: oneOf([...triggerKinds], {
        description:
          'BIRTHDAY and ANNIVERSARY: each year, by the birthday and the hireDate of a person. AFTER_HIRE: a number of days after the hireDate. YEARLY: a day of each year. ONCE: one day. UNRECOGNIZED: a number of days after the last recognition.',
        examples: ['ANNIVERSARY'],
      }),
      days: Type.Optional(
        days(3_650, 'Of AFTER_HIRE: days after the first day, 0 for the first day. Of UNRECOGNIZED: at least 1.', 30),
      ),
      monthDay: Type.Optional(
        Type.String({ pattern: '^\\d\\d-\\d\\d$', description: 'Of YEARLY: month and day.', examples: ['12-21'] }),
      ),
      day: Type.Optional(Type.String({ format: 'date', description: 'Of ONCE: the day.', examples: ['2026-12-21'] })),
    },
    { description: 'When an automation acts.', examples: [{ is: 'ANNIVERSARY' }] },
  ),
);
export type AutomationTrigger = Static<typeof AutomationTrigger>;

const AmountByYears = named(
  'AmountByYears',
  Type.Object(
    {
      years: Type.Integer({ minimum: 1, maximum: 100, description: 'Full years since the hireDate.', examples: [5] }),
      amount: Type.Optional(giftAmount),
    },
    { description: 'An anniversary that is celebrated. The amount belongs to a gift.' },
  ),
);

const FurtherYears = named(
  'FurtherYears',
  Type.Object(
    {
      every: Type.Integer({
        minimum: 1,
        maximum: 50,
        description: 'The number of years between two of them.',
        examples: [5],
      }),
      amount: Type.Optional(giftAmount),
    },
    { description: 'Anniversaries after those that are listed. The amount belongs to a gift.' },
  ),
);

const AutomationAction = named(
  'AutomationAction',
  Type.Object(
    {
      is: oneOf(['GIFT', 'SHOUTOUT', 'NUDGE'], {
        description: 'GIFT: a gift. SHOUTOUT: recognition without money. NUDGE: an email to the manager with a draft.',
        examples: ['GIFT'],
      }),
      currency: Type.Optional(
        Type.String({ format: 'currency', description: 'Of GIFT: ISO 4217 code.', examples: ['CAD'] }),
      ),
      amount: Type.Optional(giftAmount),
      byYears: Type.Optional(
        Type.Array(ref(AmountByYears), {
          maxItems: 100,
          description:
            'Of ANNIVERSARY: the years that are celebrated, in place of amount. Empty or absent: every year from the first on.',
        }),
      ),
      further: Type.Optional(
        ref(FurtherYears, {
          description: 'Of ANNIVERSARY: after the last of byYears, the years that `every` divides.',
        }),
      ),
      reasonId,
    },
    { description: 'What an automation does.', examples: [{ is: 'GIFT', currency: 'CAD', amount: 25 }] },
  ),
);
export type AutomationAction = Static<typeof AutomationAction>;

const AutomationSender = named(
  'AutomationSender',
  Type.Object(
    {
      is: oneOf(['COMPANY', 'MANAGER', 'MEMBER'], {
        description: 'Whose name people read. MANAGER: of the person; the company if they have none.',
        examples: ['MANAGER'],
      }),
      memberId: Type.Optional(anId('Of MEMBER: the id of the person.', 5)),
    },
    { description: 'Who sends what an automation sends.', examples: [{ is: 'COMPANY' }] },
  ),
);
export type AutomationSender = Static<typeof AutomationSender>;

const messageIn = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1_000,
    format: 'text',
    description: 'The message in this language.',
    examples: ['Happy birthday, {firstName}!'],
  }),
);

type ByLanguage = Record<Uppercase<Language>, typeof messageIn>;

const AutomationMessages = named(
  'AutomationMessages',
  Type.Object(Object.fromEntries(languages.map((one) => [one.toUpperCase(), messageIn])) as ByLanguage, {
    additionalProperties: false,
    description:
      'The message by language. {firstName}, {lastName}, {years}, {team}, {company} and {key} of a custom field stand for values of the person. People who read another language get the one of the workspace, else the first.',
    examples: [{ EN: 'Happy birthday, {firstName}!' }],
  }),
);

const fields = {
  name: text(100, 'What people call the automation.', 'Birthdays'),
  trigger: ref(AutomationTrigger, { description: 'When it acts.' }),
  audience: ref(Audience, { description: 'Whom it is for.' }),
  action: ref(AutomationAction, { description: 'What it does.' }),
  messages: ref(AutomationMessages, { description: 'The message by language.' }),
  missing: Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 200 }), {
    description: 'What stands in place of a value that a person does not have, by placeholder.',
    examples: [{ team: 'us' }],
  }),
  from: ref(AutomationSender, { description: 'Who sends it.' }),
  budgetId: nullableId("Of GIFT: the budget that pays. Null: the workspace's.", null),
  ifShort: oneOf(['MESSAGE', 'WAIT'], {
    description:
      'What happens if the budget has too little. MESSAGE: the message goes out as a shoutout, without the gift. WAIT: nothing goes out. Both are listed, and the gift can be sent later.',
    examples: ['MESSAGE'],
  }),
  leadDays: days(30, 'How many days before the manager is asked to add a line. 0: not asked.', 7),
  hour: Type.Integer({
    minimum: 0,
    maximum: 23,
    description: "The hour of the day in the person's time zone; in the workspace's for a person without one.",
    examples: [8],
  }),
  onDayOff: oneOf(['SAME_DAY', 'BEFORE', 'AFTER'], {
    description:
      "On a Saturday, a Sunday or a public holiday of the person's country: the same day, the working day before, or the one after.",
    examples: ['BEFORE'],
  }),
  onLeapDay: oneOf(['FEB_28', 'MAR_1', 'LEAP_YEARS'], {
    description: 'When 29 February is celebrated in other years: on 28 February, on 1 March, or not at all.',
    examples: ['FEB_28'],
  }),
  skipsLeft: Type.Boolean({ description: 'Whether people who have left are skipped.', examples: [true] }),
  skipsOnLeave: Type.Boolean({ description: 'Whether people who are on leave are skipped.', examples: [true] }),
  catchUpDays: days(30, 'How many days late a missed day is made up for. After that it is skipped, and listed.', 5),
};

/** What an automation says: everything but whether it is on. */
export const AutomationTerms = Type.Object(fields);
export type AutomationTerms = Static<typeof AutomationTerms>;

const { name, trigger, action, messages, ...others } = fields;
/** They have defaults: `automations/terms.ts`. */
const withDefaults = Type.Partial(Type.Object(others)).properties;

export const NewAutomation = named(
  'NewAutomation',
  Type.Object(
    { name, trigger, action, messages, ...withDefaults },
    {
      description: 'An automation to add. It is a draft until it is turned on.',
      examples: [
        {
          name: 'Birthdays',
          trigger: { is: 'BIRTHDAY' },
          action: { is: 'GIFT', currency: 'CAD', amount: 25 },
          messages: { EN: 'Happy birthday, {firstName}!' },
        },
      ],
    },
  ),
);
export type NewAutomation = Static<typeof NewAutomation>;

const automationStates = ['DRAFT', 'ON', 'PAUSED'] as const;

export const AutomationChange = named(
  'AutomationChange',
  Type.Partial(
    Type.Object({
      ...fields,
      state: oneOf(['ON', 'PAUSED'], { description: 'ON turns it on or lets it continue. PAUSED stops it.' }),
      pauseNote: nullable<string>('string', {
        maxLength: 200,
        format: 'text',
        description: 'Of PAUSED: why.',
        examples: ['until the new leads have met'],
      }),
    }),
    {
      description: 'What to change about an automation; fields that are left out stay as they are.',
      examples: [{ state: 'ON' }],
      [keepsNull]: true,
    },
  ),
);
export type AutomationChange = Static<typeof AutomationChange>;

export const Automation = named(
  'Automation',
  Type.Object(
    {
      id: Type.Integer({ description: 'Identifies the automation.', examples: [4] }),
      ...fields,
      state: oneOf([...automationStates], { description: 'Whether it is a draft, on, or paused.', examples: ['ON'] }),
      onSince: aMomentOrNull(
        'When it was turned on. It does nothing for days before that.',
        '2026-02-03T14:00:00.000Z',
      ),
      pauseNote: nullable<string>('string', { description: 'Why it is paused.', examples: [null] }),
      pausedBy: nullable<string>('string', { description: 'Who paused it.', examples: [null] }),
    },
    { description: 'What the service does for people on their days.' },
  ),
);
export type Automation = Static<typeof Automation>;

export const AutomationList = named(
  'AutomationList',
  Type.Object(
    {
      automations: Type.Array(ref(Automation), { description: 'By name.' }),
      isPaused: Type.Boolean({ description: 'Whether all automations are paused.', examples: [false] }),
    },
    { description: 'All automations of the workspace.' },
  ),
);
export type AutomationList = Static<typeof AutomationList>;

export const AutomationParams = Type.Object({ id: anId('The id of the automation.', 4) });

export const automationSchemas = [
  AutomationTrigger,
  AudiencePart,
  Audience,
  AmountByYears,
  FurtherYears,
  AutomationAction,
  AutomationSender,
  AutomationMessages,
  NewAutomation,
  AutomationChange,
  Automation,
  AutomationList,
];
