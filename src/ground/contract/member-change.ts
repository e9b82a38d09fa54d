import Type, { type Static } from 'typebox';
import { sentCustom } from './custom-field.ts';
import { sentFields } from './member-fields.ts';
import { anId, keepsNull, named, nullable, nullableId, oneOf } from './schema.ts';

const { firstName, lastName, ...others } = sentFields;
const changes = {
  firstName,
  lastName,
  ...others,
  custom: Type.Optional(sentCustom),
  managerId: Type.Optional(nullableId('The member id of the manager.', 1)),
  team: Type.Optional(
    nullable<string>('string', {
      format: 'text',
      description: "The team's name. A new name makes a new team; null is the workspace's own team.",
      examples: ['Platform'],
    }),
  ),
};

export const NewMember = named(
  'NewMember',
  Type.Object(changes, {
    description: 'A person to add, with an email address or an employee number. Unknown fields are ignored.',
    examples: [{ email: 'nia.evans@example.com', firstName: 'Nia', lastName: 'Evans', department: 'Engineering' }],
    [keepsNull]: true,
  }),
);
export type NewMember = Static<typeof NewMember>;

export const MemberChange = named(
  'MemberChange',
  Type.Object(changes, {
    description:
      'The fields to change. Those that are absent stay as they are; null clears one. Unknown ones are ignored.',
    examples: [{ department: 'Engineering', location: 'Chicago' }],
    [keepsNull]: true,
  }),
);
export type MemberChange = Static<typeof MemberChange>;

export const MemberLeaving = named(
  'MemberLeaving',
  Type.Object(
    {
      leftOn: Type.Optional(
        nullable<string>('string', {
          format: 'date',
          description: 'The last day; today when absent. A day in the future is kept as `leavesOn`.',
          examples: ['2026-11-02'],
        }),
      ),
    },
    { description: 'When a member left.', examples: [{}] },
  ),
);
export type MemberLeaving = Static<typeof MemberLeaving>;

export const MemberMerge = named(
  'MemberMerge',
  Type.Object(
    {
      into: anId('The id of the record that remains.', 8),
    },
    { description: 'Which of two records remains.', examples: [{ into: 8 }] },
  ),
);
export type MemberMerge = Static<typeof MemberMerge>;

/** The identifiers that a split can move to another record. A login takes its external id along. */
export const splitParts = ['email', 'login', 'employeeNumber'] as const;

export const MemberSplit = named(
  'MemberSplit',
  Type.Object(
    {
      move: Type.Array(oneOf(splitParts), {
        minItems: 1,
        maxItems: splitParts.length,
        description:
          'What belongs to the other person. An email address that is also the login moves as both; a login takes its external id along.',
        examples: [['email']],
      }),
      firstName: Type.Optional({ ...firstName, description: 'The first name of the person in the old record.' }),
      lastName: Type.Optional({ ...lastName, description: 'The last name of the person in the old record.' }),
    },
    { description: 'What moves to a new record.', examples: [{ move: ['email'] }] },
  ),
);
export type MemberSplit = Static<typeof MemberSplit>;

export const memberChangeSchemas = [NewMember, MemberChange, MemberLeaving, MemberMerge, MemberSplit];
