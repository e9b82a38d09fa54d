import Type, { type Static } from 'typebox';
import { MemberFilters } from './member.ts';
import { CsvQuery, PageFields, PageQuery } from './paging.ts';
import { dayBefore, SpanFields, SpanQuery } from './report-span.ts';
import { named, nullable, nullableRef, oneOf, ref, somebody, strictQuery } from './schema.ts';

const groupings = ['department', 'team', 'location', 'manager', 'costCentre', 'month'] as const;
export type Grouping = (typeof groupings)[number];

export const CoverageQuery = strictQuery({
  by: oneOf(groupings, {
    default: 'department',
    description:
      'How people are grouped. `manager`: by their own manager. `month`: a line for each month of the span, with the people who were here at its end.',
  }),
  sort: oneOf(['share', 'people', 'name'], {
    default: 'share',
    description:
      'share: the group with the smallest share of recognized people first. people: the largest group first. Months are always in their sequence.',
  }),
  ...SpanQuery,
  ...PageQuery,
  ...CsvQuery,
});
export type CoverageQuery = Static<typeof CoverageQuery>;

const counts = {
  people: Type.Integer({ description: 'People who were here at the end of the day `asOf`.', examples: [44] }),
  recognized: Type.Integer({ description: 'How many of them were recognized in the span.', examples: [31] }),
  share: nullableNumber('recognized / people, to four digits; null where nobody was here.', 0.7045),
  gifts: Type.Integer({ description: 'Gifts that they received in the span.', examples: [52] }),
  shoutouts: Type.Integer({ description: 'Approved shoutouts that they received in the span.', examples: [38] }),
};

function nullableNumber(description: string, example: number) {
  return Type.Unsafe<number | null>({ type: ['number', 'null'], description, examples: [example] });
}

const CoverageCounts = named(
  'CoverageCounts',
  Type.Object(counts, { description: 'How many people there are, and how many of them were recognized.' }),
);
export type CoverageCounts = Static<typeof CoverageCounts>;

const CoverageGroup = named(
  'CoverageGroup',
  Type.Object(
    {
      id: nullable<number>('integer', {
        description: 'The id of the team, or the member id of the manager; null for the other groups.',
        examples: [null],
      }),
      name: nullable<string>('string', {
        description: 'The name of the group; a month as 2026-11. Null: people who have none.',
        examples: ['Engineering'],
      }),
      ...counts,
    },
    { description: 'A group of people, and how many of them were recognized.' },
  ),
);
export type CoverageGroup = Static<typeof CoverageGroup>;

export const CoveragePage = named(
  'CoveragePage',
  Type.Object({
    ...SpanFields,
    company: ref(CoverageCounts),
    ...PageFields,
    groups: Type.Array(ref(CoverageGroup)),
  }),
);
export type CoveragePage = Static<typeof CoveragePage>;

export const FairnessQuery = strictQuery({ ...SpanQuery, ...PageQuery, ...CsvQuery });
export type FairnessQuery = Static<typeof FairnessQuery>;

const optional = (example: string) => nullable<string>('string', { examples: [example] });

const ReportPerson = named(
  'ReportPerson',
  Type.Object(
    {
      id: Type.Integer({ description: 'The member id.', examples: [7] }),
      email: optional(somebody.email),
      firstName: Type.String({ examples: [somebody.firstName] }),
      lastName: Type.String({ examples: [somebody.lastName] }),
      avatar: optional(somebody.avatar),
    },
    { description: 'A member in a report.' },
  ),
);

const ManagerFairness = named(
  'ManagerFairness',
  Type.Object(
    {
      manager: ref(ReportPerson),
      ...counts,
      recognizedByManager: Type.Integer({
        description: 'How many of these people the manager has recognized in person.',
        examples: [3],
      }),
    },
    { description: 'How many of the people who report to a manager were recognized.' },
  ),
);
export type ManagerFairness = Static<typeof ManagerFairness>;

export const FairnessPage = named(
  'FairnessPage',
  Type.Object({
    ...SpanFields,
    company: ref(CoverageCounts),
    ...PageFields,
    managers: Type.Array(ref(ManagerFairness), { description: 'The smallest share first.' }),
  }),
);
export type FairnessPage = Static<typeof FairnessPage>;

export const NotRecognizedQuery = strictQuery({
  since: dayBefore(
    'People who were not recognized from this day on, up to the day `asOf`. 89 days before `asOf` when absent.',
  ),
  asOf: SpanQuery.asOf,
  never: Type.Boolean({ default: false, description: 'true: only those who were never recognized.' }),
  department: MemberFilters.department,
  team: Type.Optional(
    Type.String({ format: 'text', description: "The name of the member's team: an exact match, ignoring case." }),
  ),
  location: MemberFilters.location,
  costCentre: MemberFilters.costCentre,
  manager: MemberFilters.manager,
  ...PageQuery,
  ...CsvQuery,
});
export type NotRecognizedQuery = Static<typeof NotRecognizedQuery>;

const NotRecognized = named(
  'NotRecognized',
  Type.Object(
    {
      member: ref(ReportPerson),
      department: optional('Engineering'),
      team: Type.String({ examples: ['Platform'] }),
      location: optional('Chicago'),
      costCentre: optional('CC-100'),
      manager: nullableRef(ReportPerson),
      lastDate: nullable<string>('string', {
        format: 'date',
        description: 'The day of the last recognition until `asOf`; null: never.',
        examples: ['2026-03-02'],
      }),
      type: nullable<'GIFT' | 'SHOUTOUT'>('string', { enum: ['GIFT', 'SHOUTOUT', null], examples: ['GIFT'] }),
    },
    { description: 'Somebody who was not recognized lately.' },
  ),
);
export type NotRecognized = Static<typeof NotRecognized>;

export const NotRecognizedPage = named(
  'NotRecognizedPage',
  Type.Object({
    since: Type.String({ format: 'date', examples: ['2026-08-19'] }),
    asOf: SpanFields.asOf,
    ...PageFields,
    members: Type.Array(ref(NotRecognized), {
      description: 'Those who were never recognized first, then the longest ago.',
    }),
  }),
);
export type NotRecognizedPage = Static<typeof NotRecognizedPage>;

export const coverageSchemas = [
  CoverageCounts,
  CoverageGroup,
  CoveragePage,
  ReportPerson,
  ManagerFairness,
  FairnessPage,
  NotRecognized,
  NotRecognizedPage,
];
