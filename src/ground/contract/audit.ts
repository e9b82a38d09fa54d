import Type, { type Static } from 'typebox';
import { actorKinds } from './actor.ts';
import { CsvQuery } from './paging.ts';
import { named, nullable, oneOf, ref, strictQuery } from './schema.ts';

export const AuditEntry = named(
  'AuditEntry',
  Type.Object(
    {
      id: Type.Integer({ description: 'Grows with time.', examples: [42] }),
      at: Type.String({ format: 'date-time', description: 'When it was done.' }),
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

const dayOrMoment = (description: string) => Type.Optional(Type.String({ format: 'day-or-moment', description }));

export const AuditQuery = strictQuery({
  actor: Type.Optional(oneOf([...actorKinds], { description: 'Only what this kind of caller did.' })),
  actorId: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only what the person or token with this id did.',
    }),
  ),
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
  after: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The `next` of the page before.' }),
  ),
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

export const auditSchemas = [AuditEntry, AuditPage];
