import Type, { type Static } from 'typebox';
import { named, nullable, oneOf, ref } from './schema.ts';

export const roleNames = ['OWNER', 'PEOPLE_TEAM', 'MANAGER', 'APPROVER', 'AUDITOR'] as const;

export const MyWorkspace = named(
  'MyWorkspace',
  Type.Object(
    {
      id: Type.Integer({ description: 'What X-Workspace-id names.', examples: [1] }),
      name: Type.String({ description: 'Its name.', examples: ['Northwind Demo'] }),
      role: Type.Unsafe<(typeof roleNames)[number] | null>({
        enum: [...roleNames, null],
        description: 'The role of a person who signs in; null for a token.',
      }),
      scopes: Type.Array(Type.String(), { description: 'What the caller may do there.', examples: [['orders:write']] }),
      memberId: Type.Integer({ description: 'The member that the caller acts as.', examples: [1] }),
      seesReportsOnly: Type.Boolean({
        description: 'Whether the caller sees nothing but their own direct and indirect reports.',
      }),
      language: Type.String({ description: 'The language of its mails.', examples: ['EN_CA'] }),
      timeZone: Type.String({ description: 'Its time zone.', examples: ['America/Toronto'] }),
    },
    { description: 'A workspace that the caller may use.' },
  ),
);

export const MyUser = named(
  'MyUser',
  Type.Object(
    {
      id: Type.Integer({ examples: [7] }),
      email: Type.String({ examples: ['ada@example.com'] }),
      name: Type.String({ examples: ['Ada Okafor'] }),
      language: oneOf(['en', 'fr', 'es'], { description: 'The language of the console.' }),
    },
    { description: 'A person who signs in.' },
  ),
);

export const MyToken = named(
  'MyToken',
  Type.Object(
    {
      id: Type.Integer({ examples: [3] }),
      name: nullable<string>('string', { examples: ['Payroll'] }),
      expiresAt: nullable<string>('string', { description: 'When it ends; null: never.' }),
    },
    { description: 'An API token.' },
  ),
);

export const Me = named(
  'Me',
  Type.Object(
    {
      user: Type.Unsafe<Static<typeof MyUser> | null>({
        anyOf: [ref(MyUser), { type: 'null' }],
        description: 'The person whose session this is; null for a token.',
      }),
      token: Type.Unsafe<Static<typeof MyToken> | null>({
        anyOf: [ref(MyToken), { type: 'null' }],
        description: 'The token; null for the session of a person.',
      }),
      environment: oneOf(['test', 'production']),
      workspaces: Type.Array(ref(MyWorkspace)),
    },
    { description: 'Who is calling, and what they may do in which workspace.' },
  ),
);
export type Me = Static<typeof Me>;

export const meSchemas = [MyWorkspace, MyUser, MyToken, Me];
