import Type, { type Static } from 'typebox';
import { ownQuery, PageFields, PageQuery } from './paging.ts';
import { named, nullable } from './schema.ts';

const filter = (description: string) =>
  Type.Optional(Type.String({ format: 'text', description: `${description}; exact, ignoring case.` }));

export const MemberFilters = {
  costCentre: filter("The member's cost centre"),
  currency: filter("The member's currency"),
  department: filter("The member's department"),
  employeeNumber: filter("The member's employee number"),
  location: filter("The member's location"),
  manager: filter("The manager's e-mail, employee number or id"),
  includeInactive: Type.Optional(Type.Enum(['true', 'false'], { description: 'true: those who have left as well.' })),
};

export const MemberQuery = ownQuery({
  ...MemberFilters,
  search: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 200,
      description: 'Words that all stand somewhere in the name, e-mail address or employee number, in any case.',
      examples: ['ada love'],
    }),
  ),
  ...PageQuery,
});
export type MemberQuery = Static<typeof MemberQuery>;

export const MemberParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The id of the member.' }),
});

const optional = (example: string) => nullable<string>('string', { examples: [example] });

export const Member = named(
  'Member',
  Type.Object(
    {
      id: Type.Integer({ description: 'Stays the same whatever else changes.', examples: [17] }),
      email: optional('ada@example.com'),
      employeeNumber: optional('10042'),
      firstName: Type.String({ examples: ['Ada'] }),
      lastName: Type.String({ examples: ['Lovelace'] }),
      department: optional('Engineering'),
      costCentre: optional('CC-100'),
      location: optional('Toronto'),
      currency: optional('CAD'),
      avatar: optional('https://example.com/ada.jpg'),
      manager: Type.Unsafe<{ id: number; email: string | null; firstName: string; lastName: string } | null>({
        anyOf: [
          Type.Object({
            id: Type.Integer({ examples: [3] }),
            email: optional('grace@example.com'),
            firstName: Type.String({ examples: ['Grace'] }),
            lastName: Type.String({ examples: ['Hopper'] }),
          }),
          { type: 'null' },
        ],
      }),
      team: Type.Object({ id: Type.Integer({ examples: [3] }), name: Type.String({ examples: ['Platform'] }) }),
      active: Type.Boolean({ description: 'False for somebody who has left.' }),
      leftOn: nullable<string>('string', { format: 'date', description: 'The day they left; null while active.' }),
    },
    { description: 'A person of the workspace.' },
  ),
);
export type Member = Static<typeof Member>;

export const MemberPage = named(
  'MemberPage',
  Type.Object({ ...PageFields, members: Type.Array(Member, { description: 'In the order of their ids.' }) }),
);
export type MemberPage = Static<typeof MemberPage>;
