import Type, { type Static } from 'typebox';
import { dayField, momentField, occasionFields, personFields } from './automation-plan.ts';
import { CsvQuery, PageFields, PageQuery } from './paging.ts';
import { anId, keepsNull, named, nullable, oneOf, ref, strictQuery } from './schema.ts';

/**
 * ASKED: the manager can add a line. DUE and SENDING: it goes out now. SENT, MESSAGE_ONLY: it went out, the latter without the gift. SKIPPED: nothing
 * goes out. NOT_DONE: it could not go out, and can be sent by hand.
 */
export const occurrenceStates = ['ASKED', 'DUE', 'SENDING', 'SENT', 'MESSAGE_ONLY', 'SKIPPED', 'NOT_DONE'] as const;
export type OccurrenceState = (typeof occurrenceStates)[number];

/** Why an occurrence was skipped, not done, or has no gift. */
export const occurrenceReasons = [
  'BY_HAND',
  'HAS_LEFT',
  'ON_LEAVE',
  'TOO_LATE',
  'ALREADY_DONE',
  'NO_MONEY',
  'REJECTED',
  'DECLINED',
  'NO_ADDRESS',
  'NO_MESSAGE',
  'NO_MANAGER',
  'KEPT_OUT',
] as const;
export type OccurrenceReason = (typeof occurrenceReasons)[number];

export const Occurrence = named(
  'Occurrence',
  Type.Object(
    {
      id: Type.Integer({ description: 'Identifies the occurrence.', examples: [31] }),
      automationId: Type.Integer({ description: 'The automation.', examples: [4] }),
      automationName: Type.String({ description: 'Its name.', examples: ['Birthdays'] }),
      ...personFields,
      ...occasionFields,
      dueAt: momentField('When it was due.'),
      at: momentField('When its state last changed.'),
      state: oneOf([...occurrenceStates], {
        description:
          'ASKED: the manager can add a line. DUE and SENDING: it goes out now. SENT: it went out. MESSAGE_ONLY: it went out without the gift. SKIPPED: nothing goes out. NOT_DONE: it could not go out. Both can be sent by hand, unless the reason is ALREADY_DONE.',
        examples: ['SENT'],
      }),
      reason: Type.Unsafe<OccurrenceReason | null>({
        type: ['string', 'null'],
        enum: [...occurrenceReasons, null],
        description: 'Why it was skipped, not done, or has no gift.',
        examples: [null],
      }),
      detail: nullable<string>('string', {
        description: 'What happened and what to do, in words.',
        examples: ['The budget had 40.00 CAD left, the gift is 75.00 CAD.'],
      }),
      daysLate: Type.Integer({ description: 'How many days late it went out.', examples: [0] }),
      amount: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: 'Of a gift: its amount.',
        examples: [100],
      }),
      currency: nullable<string>('string', { description: 'Of a gift: its currency.', examples: ['CAD'] }),
      line: nullable<string>('string', { description: 'What the manager added.', examples: [null] }),
      requestId: nullable<string>('string', {
        format: 'uuid',
        description: 'The order of the gift.',
        examples: [null],
      }),
      isWaiting: Type.Boolean({ description: 'Whether the order waits for approval.', examples: [false] }),
      shoutoutId: nullable<number>('integer', { description: 'The shoutout.', examples: [null] }),
    },
    { description: 'What an automation did or could not do for one person on one day.' },
  ),
);
export type Occurrence = Static<typeof Occurrence>;

export const OccurrenceQuery = strictQuery({
  automation: Type.Optional(anId('Only of this automation.', 4)),
  member: Type.Optional(anId('Only of this person.', 7)),
  state: Type.Optional(oneOf([...occurrenceStates], { description: 'Only in this state.' })),
  isLate: Type.Optional(Type.Boolean({ description: 'true: only what went out late.' })),
  isWaiting: Type.Optional(Type.Boolean({ description: 'true: only what waits for approval.' })),
  isIncomplete: Type.Optional(
    Type.Boolean({
      description: 'true: only what could not be done as the automation says: NOT_DONE and MESSAGE_ONLY.',
    }),
  ),
  from: Type.Optional(Type.String({ format: 'date', description: 'The first day in question, by when it was due.' })),
  to: Type.Optional(Type.String({ format: 'date', description: 'The last day in question.' })),
  ...PageQuery,
  ...CsvQuery,
});
export type OccurrenceQuery = Static<typeof OccurrenceQuery>;

export const OccurrencePage = named(
  'OccurrencePage',
  Type.Object(
    { content: Type.Array(ref(Occurrence), { description: 'The latest first.' }), ...PageFields },
    { description: 'A page of occurrences.' },
  ),
);
export type OccurrencePage = Static<typeof OccurrencePage>;

export const OccurrenceParams = Type.Object({ id: anId('The id of the occurrence.', 31) });

export const OccurrenceChange = named(
  'OccurrenceChange',
  Type.Partial(
    Type.Object({
      line: nullable<string>('string', {
        maxLength: 300,
        format: 'text',
        description: 'What stands in front of the message, in the words of the manager. Null: nothing.',
        examples: ['You made my first year here.'],
      }),
    }),
    {
      description: 'What a manager adds to an occurrence.',
      examples: [{ line: 'You made my first year here.' }],
      [keepsNull]: true,
    },
  ),
);
export type OccurrenceChange = Static<typeof OccurrenceChange>;

/** Names one occurrence of the plan: to skip it, or to let it go out now. */
export const OccurrenceChoice = named(
  'OccurrenceChoice',
  Type.Object(
    { memberId: anId('The person.', 7), forDay: dayField('The day that is celebrated, as the plan has it.') },
    { description: 'One person on one day.', examples: [{ memberId: 7, forDay: '2027-03-13' }] },
  ),
);
export type OccurrenceChoice = Static<typeof OccurrenceChoice>;

export const occurrenceSchemas = [Occurrence, OccurrencePage, OccurrenceChange, OccurrenceChoice];
