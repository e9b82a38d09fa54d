import Type, { type Static } from 'typebox';
import { PageFields, PageQuery } from './paging.ts';
import { named, nullable } from './schema.ts';

const UserSummary = Type.Object({
  id: Type.Integer({ examples: [17] }),
  email: Type.String({ examples: ['ada@example.com'] }),
  firstName: Type.String({ examples: ['Ada'] }),
  lastName: Type.String({ examples: ['Lovelace'] }),
  avatar: Type.String({ description: "Address of the person's picture." }),
  'the service': Type.String({ description: 'The same as avatar, under the name that the interface document has.' }),
  self: Type.Boolean({ description: 'True for the member that the calling token acts as.' }),
});

const TeamActivity = Type.Object({
  status: Type.Enum(['PENDING', 'APPROVED']),
  sender: UserSummary,
  receiver: UserSummary,
  createdOn: Type.String({
    description: 'UTC, ISO 8601 without zone offset.',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}$',
    examples: ['2026-11-02T14:03:27.512345'],
  }),
  description: Type.String({ examples: ['Thank you for the launch!'] }),
  reason: Type.Object({
    id: Type.Integer({ examples: [1] }),
    description: Type.String({ examples: ['Teamwork'] }),
  }),
  isPrivate: Type.Boolean(),
  type: Type.Enum(['GIFT', 'SHOUTOUT']),
  account: Type.Integer({ description: 'The account that owns the workspace.', examples: [1] }),
  team: Type.Integer({ description: "The receiver's team.", examples: [3] }),
});

export const TeamActivityQuery = Type.Object(PageQuery);

export const TeamActivityPage = named(
  'TeamActivityPage',
  Type.Object({ ...PageFields, activities: Type.Array(TeamActivity, { description: 'Newest first.' }) }),
);
export type TeamActivityPage = Static<typeof TeamActivityPage>;

const filter = (description: string) =>
  Type.Optional(Type.String({ format: 'text', description: `${description}; exact, ignoring case.` }));

export const LastRecognizedQuery = Type.Object({
  costCentre: filter("The member's cost centre"),
  currency: filter("The member's currency"),
  department: filter("The member's department"),
  employeeNumber: filter("The member's employee number"),
  location: filter("The member's location"),
  manager: filter("The manager's e-mail, employee number or id"),
  neverRecognized: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'true: the members without any recognition instead.' }),
  ),
  ...PageQuery,
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
