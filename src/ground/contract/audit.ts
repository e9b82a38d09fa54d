import Type, { type Static } from 'typebox';
import { actorKinds } from './actor.ts';
import { CsvQuery } from './paging.ts';
import {
  aMoment,
  aMomentOrNull,
  anId,
  dayOrMoment,
  named,
  nullable,
  nullableRef,
  oneOf,
  ref,
  strictQuery,
} from './schema.ts';

export const AuditEntry = named(
  'AuditEntry',
  Type.Object(
    {
      id: Type.Integer({ description: 'Grows with time.', examples: [42] }),
      at: aMoment('When it was done.'),
      actor: oneOf([...actorKinds], {
        description: 'A person who signed in, a token, the command line, or the service itself.',
      }),
      actorId: nullable<number>('integer', { description: 'The id of the person or of the token.' }),
      actorName: nullable<string>('string', { description: 'Their name at that time.', examples: ['Ada Okafor'] }),
      action: Type.String({ description: 'The kind of thing and what was done to it.', examples: ['token.created'] }),
      subjectId: nullable<string>('string', { description: 'The id of the thing.', examples: ['3'] }),
      subjectName: nullable<string>('string', { description: 'Its name at that time.', examples: ['Payroll'] }),
      detail: Type.Record(Type.String(), Type.Unknown(), {
        description: 'What else is known about it. Never a secret.',
      }),
    },
    { description: 'Who did what.' },
  ),
);
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditQuery = strictQuery({
  actor: Type.Optional(oneOf([...actorKinds], { description: 'Only what this kind of caller did.' })),
  actorId: Type.Optional(anId('Only what the person or token with this id did.')),
  action: Type.Optional(
    Type.String({
      maxLength: 50,
      pattern: '^[a-z_.]+$',
      description: 'Only this action, for example token.created, or all actions with this prefix, for example token.',
    }),
  ),
  subjectId: Type.Optional(
    Type.String({ maxLength: 100, format: 'text', description: 'Only what was done to the thing with this id.' }),
  ),
  from: dayOrMoment(
    "From this day or moment on. A day, for example 2026-11-02, begins and ends in the workspace's time zone.",
  ),
  to: dayOrMoment('Up to the end of this day, or before this moment.'),
  size: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Entries on a page.' }),
  after: Type.Optional(anId('The `next` of the page before.')),
  ...CsvQuery,
});
export type AuditQuery = Static<typeof AuditQuery>;

export const AuditPage = named(
  'AuditPage',
  Type.Object(
    {
      entries: Type.Array(ref(AuditEntry), { description: 'The latest first.' }),
      next: nullable<number>('integer', { description: 'Where the next page begins; null on the last page.' }),
    },
    { description: 'A page of the audit log.' },
  ),
);
export type AuditPage = Static<typeof AuditPage>;

const AuditFault = named(
  'AuditFault',
  Type.Object(
    {
      number: nullable<number>('integer', { description: 'The number of the entry in the chain, if it concerns one.' }),
      problem: Type.String({
        description: 'What does not agree.',
        examples: ['The fields of the entry do not have its hash: it was changed.'],
      }),
    },
    { description: 'Something in the audit log that does not agree.' },
  ),
);

const AuditHead = named(
  'AuditHead',
  Type.Object(
    {
      number: Type.Integer({ description: 'The number of the latest entry.', examples: [4182] }),
      hash: Type.String({
        description: 'Its hash. Keep it elsewhere: it proves later that no earlier entry was changed.',
      }),
    },
    { description: 'The end of the chain of the audit log.' },
  ),
);

export const AuditVerification = named(
  'AuditVerification',
  Type.Object(
    {
      agrees: Type.Boolean({ description: 'Whether no problem was found.', examples: [true] }),
      at: aMoment('When it was verified.'),
      entries: Type.Integer({ description: 'How many entries were compared.', examples: [4182] }),
      removedUpTo: Type.Integer({
        description: 'Entries up to this number were removed by age, except those that are always kept. 0: none.',
        examples: [0],
      }),
      unchained: Type.Integer({
        description: 'Entries that are not in the chain yet, for example after an upgrade. They are not compared.',
        examples: [0],
      }),
      takenIn: Type.Integer({
        description:
          'Entries that were written without a hash and added to the chain later: by an earlier version, or with SQL.',
        examples: [0],
      }),
      lastTakenInAt: aMomentOrNull('When the latest of these was added to the chain.'),
      head: nullableRef(AuditHead, { description: 'The end of the chain. null: it has no entries.' }),
      faults: Type.Array(ref(AuditFault), { description: 'What does not agree. Of many faults, the first ones.' }),
    },
    { description: 'What a comparison of the audit log with its chain has found.' },
  ),
);
export type AuditVerification = Static<typeof AuditVerification>;

export const auditSchemas = [AuditEntry, AuditPage, AuditFault, AuditHead, AuditVerification];
