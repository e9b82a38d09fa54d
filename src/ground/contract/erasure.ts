import Type, { type Static } from 'typebox';
import { Actor } from './actor.ts';
import { PageFields, PageQuery } from './paging.ts';
import { examplePerson, named, nullable, nullableRef, oneOf, ref, strictQuery } from './schema.ts';

const moment = (description: string) =>
  Type.Unsafe<Date>({ type: 'string', format: 'date-time', description, examples: ['2027-03-31T15:00:00.000Z'] });
const momentOrNull = (description: string) =>
  Type.Unsafe<Date | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description,
    examples: ['2027-04-01T15:00:00.000Z'],
  });

const fields = {
  state: oneOf(['REQUESTED', 'WAITING', 'RUNNING', 'DONE', 'STOPPED'], {
    description:
      'REQUESTED: it waits for a second person. WAITING: it begins at `dueAt` and can be stopped until then. STOPPED: a user stopped it, or something was open when it should begin: see `obstacles` of the preview.',
  }),
  requestedBy: ref(Actor, { description: 'Who asked for it. The name is the one of today.' }),
  requestedAt: moment('When it was asked for.'),
  confirmedBy: nullableRef(Actor, { description: 'The second person; null without one.' }),
  dueAt: momentOrNull('When it begins; null: not decided, or it has begun.'),
  doneAt: momentOrNull('When everything was removed.'),
};

export const Erasure = named('Erasure', Type.Object(fields, { description: 'The erasure of a person.' }));
export type Erasure = Static<typeof Erasure>;

const PersonErasure = named(
  'PersonErasure',
  Type.Object(
    {
      memberId: Type.Integer({ description: 'The id of the member.', examples: [17] }),
      name: nullable<string>('string', {
        description: 'The name that people see; null: it is erased, or none is known.',
        examples: [`${examplePerson.firstName} ${examplePerson.lastName}`],
      }),
      ...fields,
    },
    { description: 'The erasure of a person, in a list.' },
  ),
);
export type PersonErasure = Static<typeof PersonErasure>;

export const ErasureQuery = strictQuery({
  state: oneOf(['OPEN', 'TO_CONFIRM', 'ENDED'], {
    default: 'OPEN',
    description:
      'OPEN: erasures that wait or run, in the sequence in which they were asked for. TO_CONFIRM: of these, those that another person has asked for, and that the caller can confirm. ENDED: those that are done or were stopped, the latest first.',
  }),
  ...PageQuery,
});
export type ErasureQuery = Static<typeof ErasureQuery>;

export const ErasurePage = named(
  'ErasurePage',
  Type.Object(
    { ...PageFields, erasures: Type.Array(ref(PersonErasure), { description: 'The erasures of this page.' }) },
    { description: 'A page of erasures.' },
  ),
);
export type ErasurePage = Static<typeof ErasurePage>;

const ErasureObstacle = named(
  'ErasureObstacle',
  Type.Object(
    {
      kind: oneOf(['OPEN_GIFTS', 'OPEN_REQUESTS', 'UNPAID', 'PENDING_ORDERS', 'LAST_OWNER', 'LEGAL_HOLD'], {
        description:
          'OPEN_GIFTS: gifts that are not spent. OPEN_REQUESTS: a request to decide. UNPAID: in no payroll export yet. PENDING_ORDERS: orders from or for the person wait. LEGAL_HOLD: the data of the person must be kept.',
      }),
      count: Type.Integer({ minimum: 0, description: 'How many.', examples: [1] }),
      amount: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: 'What can still be spent; of OPEN_GIFTS.',
        examples: [45],
      }),
      currency: nullable<string>('string', { description: 'Its currency.', examples: ['CAD'] }),
    },
    { description: 'Something that has to end before a person can be erased.' },
  ),
);
export type ErasureObstacle = Static<typeof ErasureObstacle>;

const ErasureRemoved = named(
  'ErasureRemoved',
  Type.Object(
    {
      group: oneOf(['IDENTITY', 'WRITTEN', 'RECEIVED', 'EMAILS', 'AUDIT', 'ACCOUNTS'], {
        description:
          'IDENTITY: names, addresses, numbers. WRITTEN: texts that they wrote. RECEIVED: texts written to them. EMAILS: addresses and logs of emails. AUDIT: their name in the audit log. ACCOUNTS: accounts and sessions.',
      }),
      count: Type.Integer({ minimum: 0, description: 'How many records.', examples: [14] }),
    },
    { description: 'Records that lose what identifies the person.' },
  ),
);
export type ErasureRemoved = Static<typeof ErasureRemoved>;

const ErasureKept = named(
  'ErasureKept',
  Type.Object(
    {
      kind: oneOf(['PAYROLL_LINES', 'TAX_LOG', 'LEDGER_NOTES', 'COUNTS', 'MARK'], {
        description:
          'PAYROLL_LINES: lines of payroll files. TAX_LOG: the tax log. LEDGER_NOTES: notes of the ledger that name the person, because its hashes cover them. COUNTS: counts, totals and amounts, without the person. MARK: a keyed hash, so that an old file does not bring the person back.',
      }),
      count: nullable<number>('integer', {
        description: 'How many records; null: it cannot be counted.',
        examples: [2],
      }),
      until: nullable<string>('string', {
        description: 'The day until which it is kept; null: no day is set.',
        examples: ['2033-12-31'],
      }),
    },
    { description: 'Something that stays.' },
  ),
);
export type ErasureKept = Static<typeof ErasureKept>;

export const ErasurePreview = named(
  'ErasurePreview',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the member.', examples: [17] }),
      erasure: nullableRef(Erasure, { description: 'How far it has come; null: it was not asked for.' }),
      confirmation: oneOf(['PAUSE', 'TWO_PEOPLE'], {
        description: 'PAUSE: an erasure begins a day after it was asked for. TWO_PEOPLE: a second person has to agree.',
      }),
      obstacles: Type.Array(ref(ErasureObstacle), { description: 'What has to end first.' }),
      removed: Type.Array(ref(ErasureRemoved), { description: 'What is removed.' }),
      kept: Type.Array(ref(ErasureKept), { description: 'What stays, and why.' }),
    },
    { description: 'What erasing a person would do.' },
  ),
);
export type ErasurePreview = Static<typeof ErasurePreview>;

export const erasureSchemas = [
  Erasure,
  PersonErasure,
  ErasurePage,
  ErasureObstacle,
  ErasureRemoved,
  ErasureKept,
  ErasurePreview,
];
