import Type, { type Static } from 'typebox';
import { longest } from '../values/text.ts';
import { roleNames } from './me.ts';
import { aMoment, aMomentOrNull, anId, named, nullable, oneOf, ref, strictQuery, trims } from './schema.ts';

const email = Type.String({
  minLength: 3,
  maxLength: longest.email,
  format: 'email',
  description: 'The address that they sign in with.',
  examples: ['max@example.com'],
  [trims]: true,
});
const name = Type.String({
  minLength: 1,
  maxLength: 100,
  format: 'text',
  description: 'Their name, which stands on gifts that they send.',
  examples: ['Max Weber'],
});
const role = oneOf([...roleNames], { description: 'What they may do in this workspace.', examples: ['AUDITOR'] });
const member = (ifAbsent: string) =>
  Type.String({
    maxLength: longest.email,
    format: 'text',
    description: `Email, employee number or id of the member that they act as. If absent: ${ifAbsent}; otherwise, a record that only sends. A manager must be a member.`,
  });

export const NewUser = named(
  'NewUser',
  Type.Object(
    { email, name, role, member: Type.Optional(member('the member with their address')) },
    {
      description: 'A person who shall sign in.',
      examples: [{ email: 'max@example.com', name: 'Max Weber', role: 'AUDITOR' }],
    },
  ),
);
export type NewUser = Static<typeof NewUser>;

export const UserChange = named(
  'UserChange',
  Type.Partial(Type.Object({ role, member: member('the same member as before, else the one with their address') }), {
    description: 'What to change about a person who signs in; fields that are left out stay as they are.',
    examples: [{ role: 'PEOPLE_TEAM' }],
  }),
);
export type UserChange = Static<typeof UserChange>;

const id = anId('The id of the person.');
export const UserParams = Type.Object({ id });

const userFields = {
  id: Type.Integer({ description: 'Identifies the user.', examples: [12] }),
  email,
  name,
  role,
  memberId: Type.Integer({ description: 'The member that they act as.', examples: [7] }),
  isLinked: Type.Boolean({
    description:
      'Whether that member is a person of the directory. If not, it is a record that only sends, and the user keeps their access when the person leaves.',
  }),
  hasPassword: Type.Boolean({ description: 'Whether they have chosen a password.' }),
  hasOidc: Type.Boolean({ description: 'Whether they have signed in through the OpenID provider.' }),
  addedAt: aMoment('Since when they have a role here.'),
  signedInAt: aMomentOrNull('When they signed in last; null: never.'),
  sessions: Type.Integer({ description: 'How many browsers they are signed in with.', examples: [1] }),
};

export const User = named('User', Type.Object(userFields, { description: 'A person who may sign in.' }));
export type User = Static<typeof User>;

export const UserWithLink = named(
  'UserWithLink',
  Type.Object(
    {
      ...userFields,
      link: Type.String({
        description: 'A sign-in link that works once, within 15 minutes: give it only to this user.',
        examples: ['https://gifts.example.com/sign-in#gwl_live_…'],
      }),
      emailed: Type.Boolean({
        description:
          'Whether the mail server accepted an email with this link. false: give the link to the user yourself.',
        examples: [true],
      }),
    },
    { description: 'A person who was just added, with a link that signs them in.' },
  ),
);
export type UserWithLink = Static<typeof UserWithLink>;

export const SignInLink = named(
  'SignInLink',
  Type.Object(
    {
      link: Type.String({
        description: 'The URL to open.',
        examples: ['https://gifts.example.com/sign-in#gwl_live_…'],
      }),
      expiresAt: aMoment('When it expires.'),
    },
    { description: 'A one-time sign-in link.' },
  ),
);
export type SignInLink = Static<typeof SignInLink>;

export const UserQuery = strictQuery({
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, format: 'text', description: 'A part of the name or the address.' }),
  ),
  role: Type.Optional(oneOf([...roleNames], { description: 'Only people with this role.' })),
  size: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'People on a page.' }),
  after: Type.Optional(anId('The `next` of the page before.')),
});
export type UserQuery = Static<typeof UserQuery>;

export const UserPage = named(
  'UserPage',
  Type.Object(
    {
      users: Type.Array(ref(User), { description: 'Those added last come first.' }),
      next: nullable<number>('integer', { description: 'Where the next page begins; null on the last page.' }),
    },
    { description: 'A page of users.' },
  ),
);
export type UserPage = Static<typeof UserPage>;

export const userSchemas = [NewUser, UserChange, User, UserWithLink, SignInLink, UserPage];
