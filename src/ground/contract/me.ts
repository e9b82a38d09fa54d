import Type, { type Static } from 'typebox';
import { languages } from '../values/language.ts';
import { aMoment, aMomentOrNull, anId, named, nullable, oneOf, ref } from './schema.ts';

export const roleNames = ['OWNER', 'PEOPLE_TEAM', 'MANAGER', 'APPROVER', 'AUDITOR'] as const;

const MyWorkspace = named(
  'MyWorkspace',
  Type.Object(
    {
      id: Type.Integer({ description: 'What X-Workspace-id names.', examples: [1] }),
      name: Type.String({ description: 'Its name.', examples: ['Northwind Demo'] }),
      role: Type.Unsafe<(typeof roleNames)[number] | 'EMPLOYEE' | null>({
        enum: [...roleNames, 'EMPLOYEE', null],
        description:
          'The role of a person who signs in; null for a token. EMPLOYEE is the role of people of the directory who are not users.',
      }),
      scopes: Type.Array(Type.String(), { description: 'What the caller may do there.', examples: [['orders:write']] }),
      memberId: Type.Integer({ description: 'The member that the caller acts as.', examples: [1] }),
      senderName: Type.String({
        description: 'The name of the caller there, as recipients and colleagues read it.',
        examples: ['Ada Okafor'],
      }),
      hasLeft: Type.Boolean({
        description: 'Whether the caller has left: they read and spend the gifts that they have, and nothing else.',
      }),
      provesEmail: Type.Boolean({
        description:
          'Whether the sign-in has shown that the caller reads the emails to the address that the workspace has of them.',
      }),
      seesReportsOnly: Type.Boolean({
        description: 'Whether the caller sees nothing but their own direct and indirect reports.',
      }),
      language: Type.String({ description: 'The language of its mails.', examples: ['EN_CA'] }),
      currency: nullable<string>('string', { description: 'The currency of its latest order; null before the first.' }),
      timeZone: Type.String({ description: 'Its time zone.', examples: ['America/Toronto'] }),
      company: Type.Object(
        {
          name: Type.String({ description: 'The name of the company.', examples: ['Northwind'] }),
          colour: nullable<string>('string', {
            description: 'Its colour; null: the usual one.',
            examples: ['#8C2459'],
          }),
          logo: nullable<string>('string', { description: 'The path of its logo; null without one.' }),
        },
        { description: 'How the company looks on the pages of employees.' },
      ),
    },
    { description: 'A workspace that the caller may use.' },
  ),
);

const consoleLanguage = oneOf(languages, { description: 'The language of the console.' });

const MyUser = named(
  'MyUser',
  Type.Object(
    {
      id: Type.Integer({ description: 'Identifies the person.', examples: [7] }),
      email: Type.String({ description: 'Their address, in lower case.', examples: ['ada@example.com'] }),
      name: Type.String({
        description: 'Their name, which is shown on gifts that they send.',
        examples: ['Ada Okafor'],
      }),
      language: consoleLanguage,
    },
    { description: 'A person who signs in.' },
  ),
);

const MyToken = named(
  'MyToken',
  Type.Object(
    {
      id: Type.Integer({ description: 'Identifies the token.', examples: [3] }),
      name: nullable<string>('string', { description: 'Its name; null if it has none.', examples: ['Payroll'] }),
      expiresAt: aMomentOrNull('When it ends; null: never.'),
    },
    { description: 'An API token.' },
  ),
);

const ThisSession = named(
  'ThisSession',
  Type.Object(
    {
      way: oneOf(['LINK', 'PASSWORD', 'OIDC', 'KIOSK'], {
        description: 'How they signed in. KIOSK: at a device that others use too.',
      }),
      endsAt: aMoment('When it ends.'),
    },
    { description: 'The session of the browser.' },
  ),
);

export const Me = named(
  'Me',
  Type.Object(
    {
      user: Type.Unsafe<Static<typeof MyUser> | null>({
        anyOf: [ref(MyUser), { type: 'null' }],
        description: 'The user whose session this is; null for a token, and for an employee who is not a user.',
      }),
      token: Type.Unsafe<Static<typeof MyToken> | null>({
        anyOf: [ref(MyToken), { type: 'null' }],
        description: 'The token; null for the session of a person.',
      }),
      session: Type.Unsafe<Static<typeof ThisSession> | null>({
        anyOf: [ref(ThisSession), { type: 'null' }],
        description: 'The session; null for a token.',
      }),
      environment: oneOf(['test', 'production'], { description: '`production`: gifts are real.' }),
      workspaces: Type.Array(ref(MyWorkspace), { description: 'The workspaces that the caller may use.' }),
    },
    { description: 'Who is calling, and what they may do in which workspace.' },
  ),
);
export type Me = Static<typeof Me>;

export const MyChange = named(
  'MyChange',
  Type.Partial(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 100, format: 'text', description: 'Their name.' }),
      language: consoleLanguage,
    }),
    { description: 'What a person changes about themselves.', examples: [{ language: 'fr' }] },
  ),
);
export type MyChange = Static<typeof MyChange>;

export const MyPassword = named(
  'MyPassword',
  Type.Object(
    {
      password: Type.String({ maxLength: 1_000, description: 'The new password: 12 characters or more.' }),
      current: Type.Optional(
        Type.String({
          maxLength: 1_000,
          description:
            'The current password. Not needed by a user without one, or who signed in with a link in the last 15 minutes.',
        }),
      ),
    },
    { description: 'A new password.', examples: [{ password: 'one wire, one bow' }] },
  ),
);
export type MyPassword = Static<typeof MyPassword>;

const MySession = named(
  'MySession',
  Type.Object(
    {
      id: Type.Integer({ description: 'Identifies the session.', examples: [9] }),
      way: oneOf(['LINK', 'PASSWORD', 'OIDC', 'KIOSK'], { description: 'How they signed in.' }),
      browser: nullable<string>('string', { description: 'What the browser calls itself.' }),
      createdAt: aMoment('When they signed in.'),
      expiresAt: aMoment('When it ends.'),
      isThis: Type.Boolean({ description: 'Whether the request belongs to this session.' }),
    },
    { description: 'A browser in which the user is signed in.' },
  ),
);

export const MyAccount = named(
  'MyAccount',
  Type.Object(
    {
      hasPassword: Type.Boolean({ description: 'Whether they have chosen a password.' }),
      needsCurrent: Type.Boolean({ description: 'Whether another password needs the current one.' }),
      oidcIssuer: nullable<string>('string', { description: 'The OpenID provider that they sign in through.' }),
      sessions: Type.Array(ref(MySession), { description: 'The latest first.' }),
    },
    { description: 'How a person signs in, and where they are signed in.' },
  ),
);
export type MyAccount = Static<typeof MyAccount>;

export const MySessionParams = Type.Object({
  id: anId('The id of the session.'),
});

export const meSchemas = [MyWorkspace, MyUser, MyToken, ThisSession, Me, MyChange, MyPassword, MySession, MyAccount];
