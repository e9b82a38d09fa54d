import Type, { type Static } from 'typebox';
import { Activity } from './activity.ts';
import { MemberFilters } from './member.ts';
import { PageFields, PageQuery } from './paging.ts';
import { named, nullable } from './schema.ts';

const CsvQuery = {
  bom: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'true: CSV begins with a byte order mark, by which Excel knows that it is UTF-8.',
    }),
  ),
};

export const TeamActivityQuery = Type.Object({ ...PageQuery, ...CsvQuery });

export const TeamActivityPage = named(
  'TeamActivityPage',
  Type.Object({ ...PageFields, activities: Type.Array(Activity, { description: 'Newest first.' }) }),
);
export type TeamActivityPage = Static<typeof TeamActivityPage>;

export const LastRecognizedQuery = Type.Object({
  ...MemberFilters,
  neverRecognized: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'true: the members without any recognition instead.' }),
  ),
  ...PageQuery,
  ...CsvQuery,
});
export type LastRecognizedQuery = Static<typeof LastRecognizedQuery>;

export const LastRecognizedPage = named(
  'LastRecognizedPage',
  Type.Object({
    ...PageFields,
    teamMembers: Type.Array(
      Type.Object({
        teamMember: Type.Object({
          email: Type.String({ examples: ['ada@example.com'] }),
          firstName: Type.String({ examples: ['Ada'] }),
          lastName: Type.String({ examples: ['Lovelace'] }),
        }),
        lastDate: nullable<string>('string', { format: 'date', examples: ['2026-11-02'] }),
        type: nullable<'GIFT' | 'SHOUTOUT'>('string', { enum: ['GIFT', 'SHOUTOUT', null], examples: ['GIFT'] }),
      }),
      { description: 'The most recently recognized first.' },
    ),
  }),
);
export type LastRecognizedPage = Static<typeof LastRecognizedPage>;
