import Type, { type Static } from 'typebox';
import { type GroupField, groupFields } from '../values/member.ts';
import { customFilter } from './custom-field.ts';
import { MemberFilters } from './member.ts';
import { fieldExample, fieldFilters, fieldsOf } from './member-fields.ts';
import { CsvQuery, PageFields, PageQuery } from './paging.ts';
import { dayBefore, SpanFields, SpanQuery } from './report-span.ts';
import { examplePerson, formerName, named, nullable, nullableRef, oneOf, ref, strictQuery } from './schema.ts';

const { department, location, ...otherFilters } = fieldsOf(groupFields, (name) => fieldFilters[name]);
const otherGroups = Object.keys(otherFilters) as Exclude<GroupField, 'department' | 'location'>[];

export type Grouping = GroupField | 'team' | 'manager' | 'month';
const groupings: Grouping[] = ['department', 'team', 'location', 'manager', ...otherGroups, 'month'];

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
  custom: customFilter,
  ...PageQuery,
  ...CsvQuery,
});
export type CoverageQuery = Static<typeof CoverageQuery>;

const counts = {
  people: Type.Integer({ description: 'People who were here at the end of the day `asOf`.', examples: [44] }),
  recognized: Type.Integer({ description: 'How many of them were recognized in the span.', examples: [31] }),
  share: nullableNumber('recognized / people, to four digits; null without people.', 0.7045),
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
  Type.Object(
    {
      ...SpanFields,
      company: ref(CoverageCounts, { description: 'All people.' }),
      ...PageFields,
      groups: Type.Array(ref(CoverageGroup), { description: 'In the order of `sort`.' }),
    },
    { description: 'A page of groups.' },
  ),
);
export type CoveragePage = Static<typeof CoveragePage>;

export const FairnessQuery = strictQuery({ ...SpanQuery, custom: customFilter, ...PageQuery, ...CsvQuery });
export type FairnessQuery = Static<typeof FairnessQuery>;

const optional = (description: string, example: string) =>
  nullable<string>('string', { description, examples: [example] });

const ReportPerson = named(
  'ReportPerson',
  Type.Object(
    {
      id: Type.Integer({ description: 'The member id.', examples: [7] }),
      email: optional('Null where it is not known.', examplePerson.email),
      firstName: Type.String({ description: 'Empty where it is not known.', examples: [examplePerson.firstName] }),
      lastName: Type.String({ description: 'Empty where it is not known.', examples: [examplePerson.lastName] }),
      avatar: optional("The URL of the person's picture; null without a picture.", examplePerson.avatar),
    },
    { description: 'A member in a report.' },
  ),
);

const ManagerFairness = named(
  'ManagerFairness',
  Type.Object(
    {
      manager: ref(ReportPerson, { description: 'The manager.' }),
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
  Type.Object(
    {
      ...SpanFields,
      company: ref(CoverageCounts, { description: 'All people, also those without a manager.' }),
      ...PageFields,
      managers: Type.Array(ref(ManagerFairness), { description: 'The smallest share first.' }),
    },
    { description: 'A page of managers.' },
  ),
);
export type FairnessPage = Static<typeof FairnessPage>;

export const NotRecognizedQuery = strictQuery({
  since: dayBefore(
    'People who were not recognized from this day on, up to the day `asOf`. 89 days before `asOf` when absent.',
  ),
  asOf: SpanQuery.asOf,
  never: Type.Boolean({ default: false, description: 'true: only those who were never recognized.' }),
  department,
  team: Type.Optional(
    Type.String({ format: 'text', description: "The name of the member's team: an exact match, ignoring case." }),
  ),
  location,
  ...otherFilters,
  manager: MemberFilters.manager,
  custom: customFilter,
  ...PageQuery,
  ...CsvQuery,
});
export type NotRecognizedQuery = Static<typeof NotRecognizedQuery>;

const shownGroup = (name: GroupField) => optional('Null where it is not known.', fieldExample(name));

const lastRecognizedOn = nullable<string>('string', {
  format: 'date',
  description: 'The day of the last recognition until `asOf`; null: never.',
  examples: ['2026-03-02'],
});

const NotRecognized = named(
  'NotRecognized',
  Type.Object(
    {
      member: ref(ReportPerson, { description: 'The person.' }),
      department: shownGroup('department'),
      team: Type.String({ description: 'The name of the team.', examples: ['Platform'] }),
      location: shownGroup('location'),
      ...fieldsOf(otherGroups, shownGroup),
      manager: nullableRef(ReportPerson, { description: 'Null without one.' }),
      lastRecognizedOn,
      lastDate: formerName(lastRecognizedOn, 'lastRecognizedOn'),
      type: nullable<'GIFT' | 'SHOUTOUT'>('string', {
        description: 'What the last recognition was; null: never.',
        enum: ['GIFT', 'SHOUTOUT', null],
        examples: ['GIFT'],
      }),
    },
    { description: 'A person who was not recognized lately.' },
  ),
);
export type NotRecognized = Static<typeof NotRecognized>;

export const NotRecognizedPage = named(
  'NotRecognizedPage',
  Type.Object(
    {
      since: Type.String({
        format: 'date',
        description: 'They were not recognized from this day on.',
        examples: ['2026-08-19'],
      }),
      asOf: SpanFields.asOf,
      ...PageFields,
      others: Type.Integer({
        minimum: 0,
        description: 'How many more there are who are kept out of reports about individuals.',
        examples: [0],
      }),
      members: Type.Array(ref(NotRecognized), {
        description: 'Those who were never recognized first, then the longest ago.',
      }),
    },
    { description: 'A page of people who were not recognized lately.' },
  ),
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
