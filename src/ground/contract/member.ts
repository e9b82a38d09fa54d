import Type, { type Static } from 'typebox';
import { customFilter, shownCustom } from './custom-field.ts';
import { fieldFilters, filter, shownFields } from './member-fields.ts';
import { PageFields, PageQuery } from './paging.ts';
import { anId, named, nullable, nullableRef, ref, strictQuery } from './schema.ts';

export const MemberFilters = {
  ...fieldFilters,
  manager: filter("The manager's email, employee number or id (`id:17` is an id and nothing else)"),
  custom: customFilter,
  includeInactive: Type.Boolean({ default: false, description: 'true: includes members who have left.' }),
};

export const MemberQuery = strictQuery({
  ...MemberFilters,
  search: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 200,
      description: 'Words. Each must occur in the name, the email address or the employee number, ignoring case.',
      examples: ['grace kow'],
    }),
  ),
  ...PageQuery,
});
export type MemberQuery = Static<typeof MemberQuery>;

/** Both have to be there when it is handled: `size` has a default. */
export const SuggestionQuery = Type.Object(
  {
    search: Type.String({
      minLength: 1,
      maxLength: 200,
      format: 'text',
      description: 'The beginning of a name, an email address or an employee number, or several of them.',
      examples: ['grace kow'],
    }),
    size: Type.Integer({ minimum: 1, maximum: 20, default: 8, description: 'The most people to suggest.' }),
  },
  { required: ['search'], additionalProperties: false },
);
export type SuggestionQuery = Static<typeof SuggestionQuery>;

export const MemberParams = Type.Object({
  id: anId('The id of the member.', 7),
});

const Manager = named(
  'Manager',
  Type.Object(
    {
      id: Type.Integer({ description: 'The member id.', examples: [1] }),
      email: nullable<string>('string', {
        description: "The manager's email address.",
        examples: ['amara.okafor@example.com'],
      }),
      firstName: Type.String({ description: "The manager's first name.", examples: ['Amara'] }),
      lastName: Type.String({ description: "The manager's last name.", examples: ['Okafor'] }),
    },
    { description: 'The manager of a member.' },
  ),
);

export const Team = named(
  'Team',
  Type.Object(
    {
      id: Type.Integer({ description: 'Identifies the team.', examples: [3] }),
      name: Type.String({ description: 'What the team is called.', examples: ['Platform'] }),
    },
    { description: 'The team of a member.' },
  ),
);

export const Member = named(
  'Member',
  Type.Object(
    {
      id: Type.Integer({ description: 'Never changes.', examples: [7] }),
      ...shownFields,
      custom: Type.Optional(shownCustom),
      manager: nullableRef(Manager, { description: 'Null where the manager is not known.' }),
      team: ref(Team, { description: "Members without a team belong to the workspace's default team." }),
      active: Type.Boolean({ description: 'False for a member who has left.', examples: [true] }),
      leftOn: nullable<string>('string', {
        format: 'date',
        description: 'The day on which the member left, in the workspace’s time zone; null while active.',
        examples: [null],
      }),
      recognitions: Type.Integer({
        description: 'How many gifts and shoutouts the member has received.',
        examples: [4],
      }),
      lastRecognizedOn: nullable<string>('string', {
        format: 'date',
        description: 'The day of the latest one, in the workspace’s time zone; null without any.',
        examples: ['2026-11-02'],
      }),
      lastRecognizedBy: nullable<'GIFT' | 'SHOUTOUT'>('string', {
        enum: ['GIFT', 'SHOUTOUT', null],
        description: 'What the latest one was.',
        examples: ['GIFT'],
      }),
      provisioned: Type.Boolean({
        description: 'True for a member whom an identity provider keeps up to date through SCIM.',
        examples: [false],
      }),
    },
    { description: 'A person of the workspace.' },
  ),
);
export type Member = Static<typeof Member>;

export const MemberPage = named(
  'MemberPage',
  Type.Object(
    {
      ...PageFields,
      totalIsMinimum: Type.Optional(
        Type.Boolean({
          description:
            'Only there, and true, if a search or a filter matches more than 1,000 people. They are not all counted: totalElements and totalPages then say how many there are at least. A page that is followed by another one always says so.',
          examples: [true],
        }),
      ),
      members: Type.Array(ref(Member), { description: 'In the order of their ids.' }),
    },
    { description: 'A page of members.' },
  ),
);
export type MemberPage = Static<typeof MemberPage>;

export const MemberSuggestion = named(
  'MemberSuggestion',
  Type.Object(
    {
      id: Type.Integer({ description: 'The member id.', examples: [7] }),
      email: shownFields.email,
      employeeNumber: shownFields.employeeNumber,
      firstName: shownFields.firstName,
      lastName: shownFields.lastName,
      department: shownFields.department,
      location: shownFields.location,
      currency: shownFields.currency,
      avatar: shownFields.avatar,
      lastRecognizedOn: nullable<string>('string', {
        format: 'date',
        description: 'The day of the last recognition, in the workspace’s time zone; null where there was none.',
        examples: ['2026-11-02'],
      }),
    },
    { description: 'A person to choose.' },
  ),
);
export type MemberSuggestion = Static<typeof MemberSuggestion>;

export const MemberSuggestions = named(
  'MemberSuggestions',
  Type.Object(
    { members: Type.Array(ref(MemberSuggestion), { description: 'The best first.' }) },
    { description: 'People to choose from.' },
  ),
);

export const memberSchemas = [Manager, Team, Member, MemberPage, MemberSuggestion, MemberSuggestions];
