import Type, { type Static } from 'typebox';
import { Activity } from './activity.ts';
import { MemberFilters } from './member.ts';
import { CsvQuery, PageFields, PageQuery } from './paging.ts';
import { examplePerson, named, nullable, query, ref } from './schema.ts';

export const TeamActivityQuery = query({ ...PageQuery, ...CsvQuery });

export const TeamActivityPage = named(
  'TeamActivityPage',
  Type.Object(
    { ...PageFields, activities: Type.Array(ref(Activity), { description: 'Newest first.' }) },
    { description: 'A page of activities.' },
  ),
);
export type TeamActivityPage = Static<typeof TeamActivityPage>;

export const LastRecognizedQuery = query({
  ...MemberFilters,
  neverRecognized: Type.Boolean({
    default: false,
    description: 'true: lists the members who were never recognized instead; lastDate and type are null.',
  }),
  ...PageQuery,
  ...CsvQuery,
});
export type LastRecognizedQuery = Static<typeof LastRecognizedQuery>;

const TeamMember = named(
  'TeamMember',
  Type.Object(
    {
      email: Type.String({
        description: 'The email address; empty where it is not known.',
        examples: [examplePerson.email],
      }),
      firstName: Type.String({ description: 'Empty where it is not known.', examples: [examplePerson.firstName] }),
      lastName: Type.String({ description: 'Empty where it is not known.', examples: [examplePerson.lastName] }),
    },
    { description: 'A member of the report, by address and name.' },
  ),
);

const LastRecognized = named(
  'LastRecognized',
  Type.Object(
    {
      teamMember: ref(TeamMember, { description: 'The person.' }),
      lastDate: nullable<string>('string', {
        format: 'date',
        description: 'The day of the last recognition; null for a member who was never recognized.',
        examples: ['2026-11-02'],
      }),
      type: nullable<'GIFT' | 'SHOUTOUT'>('string', {
        description: 'What it was; null for a member who was never recognized.',
        enum: ['GIFT', 'SHOUTOUT', null],
        examples: ['GIFT'],
      }),
    },
    { description: 'A member, with the day and the kind of the last recognition.' },
  ),
);

export const LastRecognizedPage = named(
  'LastRecognizedPage',
  Type.Object(
    {
      ...PageFields,
      teamMembers: Type.Array(ref(LastRecognized), { description: 'The most recently recognized first.' }),
    },
    { description: 'A page of the report.' },
  ),
);
export type LastRecognizedPage = Static<typeof LastRecognizedPage>;

export const reportSchemas = [TeamActivityPage, TeamMember, LastRecognized, LastRecognizedPage];
