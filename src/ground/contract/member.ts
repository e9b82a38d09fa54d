import Type, { type Static } from 'typebox';
import { PageFields, PageQuery } from './paging.ts';
import { named, nullable, nullableRef, ref, somebody, strictQuery } from './schema.ts';

const filter = (field: string) =>
  Type.Optional(Type.String({ format: 'text', description: `${field}: an exact match, ignoring case.` }));

export const MemberFilters = {
  costCentre: filter("The member's cost centre"),
  currency: filter("The member's currency"),
  department: filter("The member's department"),
  employeeNumber: filter("The member's employee number"),
  location: filter("The member's location"),
  manager: filter("The manager's e-mail, employee number or id (`id:17` is an id and nothing else)"),
  includeInactive: Type.Boolean({ default: false, description: 'true: includes members who have left.' }),
};

export const MemberQuery = strictQuery({
  ...MemberFilters,
  search: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 200,
      description: 'Words. Each must occur in the name, the e-mail address or the employee number, ignoring case.',
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
      description: 'The beginning of a name, an e-mail address or an employee number, or several of them.',
      examples: ['grace kow'],
    }),
    size: Type.Integer({ minimum: 1, maximum: 20, default: 8, description: 'The most people to suggest.' }),
  },
  { required: ['search'], additionalProperties: false },
);
export type SuggestionQuery = Static<typeof SuggestionQuery>;

export const MemberParams = Type.Object({
  id: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The id of the member.',
    examples: [7],
  }),
});

const optional = (description: string, example: string) =>
  nullable<string>('string', { description, examples: [example] });
const fromDirectory = "As the company's directory has it.";

const Manager = named(
  'Manager',
  Type.Object(
    {
      id: Type.Integer({ description: 'The member id.', examples: [1] }),
      email: optional("The manager's email address.", 'amara.okafor@example.com'),
      firstName: Type.String({ description: "The manager's first name.", examples: ['Amara'] }),
      lastName: Type.String({ description: "The manager's last name.", examples: ['Okafor'] }),
    },
    { description: 'The manager of a member.' },
  ),
);

const Team = named(
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
      email: optional('The email address.', somebody.email),
      employeeNumber: optional("The company's own number for the person.", somebody.employeeNumber),
      firstName: Type.String({ description: 'Empty where it is not known.', examples: [somebody.firstName] }),
      lastName: Type.String({ description: 'Empty where it is not known.', examples: [somebody.lastName] }),
      department: optional(fromDirectory, 'Engineering'),
      costCentre: optional(fromDirectory, 'CC-100'),
      location: optional(fromDirectory, 'Chicago'),
      currency: optional('ISO 4217 code.', 'USD'),
      avatar: optional('The URL of a picture.', somebody.avatar),
      manager: nullableRef(Manager, { description: 'Null where the manager is not known.' }),
      team: ref(Team, { description: "Members without a team belong to the workspace's default team." }),
      active: Type.Boolean({ description: 'False for a member who has left.', examples: [true] }),
      leftOn: nullable<string>('string', {
        format: 'date',
        description: 'The day on which the member left; null while active.',
        examples: [null],
      }),
      recognitions: Type.Integer({
        description: 'How many gifts and shoutouts the member has received.',
        examples: [4],
      }),
      lastRecognizedOn: nullable<string>('string', {
        format: 'date',
        description: 'The day of the latest one; null if there is none.',
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
      email: optional('The email address.', somebody.email),
      employeeNumber: optional("The company's own number for the person.", somebody.employeeNumber),
      firstName: Type.String({ description: 'Empty where it is not known.', examples: [somebody.firstName] }),
      lastName: Type.String({ description: 'Empty where it is not known.', examples: [somebody.lastName] }),
      department: optional(fromDirectory, 'Engineering'),
      location: optional(fromDirectory, 'Chicago'),
      currency: optional('ISO 4217 code.', 'USD'),
      avatar: optional('The URL of a picture.', somebody.avatar),
      lastRecognizedOn: nullable<string>('string', {
        format: 'date',
        description: 'The day of the last recognition; null where there was none.',
        examples: ['2026-11-02'],
      }),
    },
    { description: 'Somebody to choose.' },
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
