import Type, { type Static } from 'typebox';
import { longest } from '../values/text.ts';
import { keepsNull, named, nullable, ref, trims } from './schema.ts';

const days = (description: string, example: number) =>
  nullable<number>('integer', { description, examples: [example] });
const line = (description: string, example: string) =>
  nullable<string>('string', { format: 'text', description, examples: [example] });
const TaxLimit = named(
  'TaxLimit',
  Type.Object(
    {
      currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
      amount: Type.Number({ description: 'How much one person may get in a year.', examples: [500] }),
    },
    { description: 'How much a person may get in a year in one currency.' },
  ),
);
const flag = (description: string) => Type.Boolean({ description });

/** What can be changed. What a value may be is checked with the other rules of workspaces, so that all faults are named at once. */
const changeable = {
  name: Type.String({
    minLength: 1,
    maxLength: longest.name,
    format: 'text',
    description: 'The name of the workspace.',
    examples: ['Northwind Labs'],
  }),
  language: Type.String({
    format: 'language-region',
    description: 'The default language of gifts, in the form LL_CC.',
    examples: ['EN_CA'],
    [trims]: true,
  }),
  timeZone: Type.String({
    maxLength: 100,
    description: 'Where its days begin and end: a name of the IANA list.',
    examples: ['America/Toronto'],
    [trims]: true,
  }),
  brandName: line('The company as recipients read it; null: the name of the workspace.', 'Northwind'),
  colour: line('#RRGGBB, of emails and gift pages; null: the colour of Giftwire.', '#0F5C5C'),
  replyTo: line('Where replies and questions go; null: nowhere.', 'people@example.com'),
  sentence: line(
    "How a gift is used, in the company's own words; null: nothing is said.",
    'Show the code at the canteen.',
  ),
  mailsGifts: flag('Whether gifts are emailed.'),
  giftDays: days('For how many days a gift can be claimed; null: gifts do not expire.', 135),
  reminderDays: Type.Array(Type.Integer(), {
    maxItems: 5,
    description: 'Reminders, in days after the gift email; empty: no reminders.',
    examples: [[3, 10]],
  }),
  reminderDaysBeforeExpiry: days('The last reminder, in days before a gift expires; null: not sent.', 7),
  codeAbove: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'A gift of more than this asks for a code that is emailed to the recipient; null: none does.',
    examples: [500],
  }),
  taxLimits: Type.Array(ref(TaxLimit), {
    maxItems: 20,
    description: 'How much a person may get in a year, by currency. The tax log names who got more. Empty: no limit.',
    examples: [[{ currency: 'CAD', amount: 500 }]],
  }),
  recipientCaps: Type.Array(ref(TaxLimit), {
    maxItems: 20,
    description:
      "The most that a person may receive from all senders in a calendar year of the workspace's time zone, by currency. An order above it gets 402. Gifts in other currencies do not count. Empty: no limit.",
    examples: [[{ currency: 'CAD', amount: 500 }]],
  }),
  refusesUnknownEmployeeNumbers: flag('Whether orders for unknown employee numbers are rejected.'),
  acceptsLeavers: flag('Whether people who have left still get gifts and shoutouts.'),
  asksForApproval: flag('Whether a shoutout waits for approval before it counts.'),
  allowsSelfRecognition: flag('Whether people may give themselves a shoutout.'),
  erasureNeedsTwo: flag(
    'Whether a second person has to agree before a person is erased. Otherwise an erasure begins a day after it was asked for. It applies to erasures that are asked for afterwards.',
  ),
};

export const Settings = named(
  'Settings',
  Type.Object(
    {
      ...changeable,
      logo: nullable<string>('string', {
        description: 'Where the logo of emails and gift pages is; null: no logo.',
        examples: ['/g/logo/1-0f4b6a8c1e5b0f4b6a8c1e5b0f4b6a8c'],
      }),
    },
    { description: 'What a workspace wants its gifts, emails and pages to be like, and its policies.' },
  ),
);
export type Settings = Static<typeof Settings>;

export const SettingsChange = named(
  'SettingsChange',
  Type.Partial(Type.Object(changeable), {
    description: 'What to change. Settings that are left out stay as they are.',
    examples: [{ colour: '#0F5C5C', reminderDays: [3, 10] }],
    [keepsNull]: true,
  }),
);
export type SettingsChange = Static<typeof SettingsChange>;

export const settingsSchemas = [TaxLimit, Settings, SettingsChange];
