import Type, { type Static } from 'typebox';
import { Activity } from './activity.ts';
import { MemberFilters } from './member.ts';
import { CsvQuery, PageFields, PageQuery } from './paging.ts';
import { named, nullable, query, ref, somebody } from './schema.ts';

export const TeamActivityQuery = query({ ...PageQuery, ...CsvQuery });

export const TeamActivityPage = named(
  'TeamActivityPage',
  Type.Object({ ...PageFields, activities: Type.Array(ref(Activity), { description: 'Newest first.' }) }),
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
  Type.Object({
    email: Type.String({ examples: [somebody.email] }),
    firstName: Type.String({ examples: [somebody.firstName] }),
    lastName: Type.String({ examples: [somebody.lastName] }),
  }),
);

const LastRecognized = named(
  'LastRecognized',
  Type.Object(
    {
      teamMember: ref(TeamMember),
      lastDate: nullable<string>('string', { format: 'date', examples: ['2026-11-02'] }),
      type: nullable<'GIFT' | 'SHOUTOUT'>('string', { enum: ['GIFT', 'SHOUTOUT', null], examples: ['GIFT'] }),
    },
    { description: 'A member, with the day and the kind of the last recognition.' },
  ),
);

export const LastRecognizedPage = named(
  'LastRecognizedPage',
  Type.Object({
    ...PageFields,
    teamMembers: Type.Array(ref(LastRecognized), { description: 'The most recently recognized first.' }),
  }),
);
export type LastRecognizedPage = Static<typeof LastRecognizedPage>;

export const reportSchemas = [TeamActivityPage, TeamMember, LastRecognized, LastRecognizedPage];
