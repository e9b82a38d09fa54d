import { changeAccount, changePassword, endOwnSession, readAccount } from '../../../../company/access/account.ts';
import type { Grant, SignedInUser } from '../../../../company/access/grants.ts';
import { readBrands } from '../../../../company/workspaces/brands.ts';
import { latestCurrencies } from '../../../../giving/orders/latest-currency.ts';
import { Me, MyAccount, MyChange, MyPassword, MySessionParams, meSchemas } from '../../../../ground/contract/me.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { Failure } from '../../../../ground/errors.ts';
import { createPasswordLimit } from '../../limits/pace.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json, nothing } from './returns.ts';

const meRoutes: Routes = async (app, { environment, lookUps, people }) => {
  // The same limits as for signing in: a thief of a session must not guess the password here.
  const limitPasswords = createPasswordLimit(people);

  operation(app, 'getMe', 'GET /', 'self', {
    summary: 'Who is calling',
    description:
      'The person or the token that calls, and what they may do in which workspace. It takes no X-Workspace-id.',
    query: noQuery,
    returns: json('The caller.', Me),
    handler: async ({ grant }) => {
      const ids = grant.workspaces.map(({ workspaceId }) => workspaceId);
      const [currencies, brands] = await Promise.all([latestCurrencies(lookUps, ids), readBrands(lookUps, ids)]);
      return describe(grant, environment, { currencies, brands });
    },
  });

  operation(app, 'changeMe', 'PATCH /', 'self', {
    summary: 'Change your name or language',
    description: 'For people who are signed in. A token gets 403.',
    body: MyChange,
    returns: nothing('Changed.'),
    handler: ({ grant, body }) => {
      const { user } = sessionOf(grant);
      return people.transaction((tx) => changeAccount(tx, user.id, body));
    },
  });

  operation(app, 'getMyAccount', 'GET /account', 'self', {
    summary: 'How you sign in, and where you are signed in',
    description: 'For people who are signed in. A token gets 403.',
    query: noQuery,
    returns: json('The account.', MyAccount),
    handler: async ({ grant }) => {
      const { id, user } = sessionOf(grant);
      const { sessions, ...account } = await readAccount(lookUps, user.id, id);
      return {
        ...account,
        sessions: sessions.map(({ createdAt, expiresAt, ...session }) => ({
          ...session,
          createdAt: createdAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
          isThis: session.id === id,
        })),
      };
    },
  });

  operation(app, 'changeMyPassword', 'POST /password', 'self', {
    summary: 'Choose a password',
    description: 'Ends all your other sessions. For people who are signed in. A token gets 403.',
    body: MyPassword,
    returns: nothing('The password is changed.'),
    handler: async ({ grant, body, ip }) => {
      const { id, user } = sessionOf(grant);
      await changePassword(people, { user, sessionId: id }, body, () => limitPasswords(ip, user.email));
    },
  });

  operation(app, 'endMySession', 'DELETE /sessions/:id', 'self', {
    summary: 'End one of your sessions',
    description: 'Every node refuses it within a second. For people who are signed in. A token gets 403.',
    params: MySessionParams,
    returns: nothing('The session has ended.'),
    handler: ({ grant, params }) => {
      const { user } = sessionOf(grant);
      return people.transaction((tx) => endOwnSession(tx, user, params.id));
    },
  });
};

function sessionOf({ session }: Grant): { id: number; user: SignedInUser } {
  if (session === null) throw new Failure('forbidden', 'This is for people who are signed in: a token has no account.');
  const { id, user } = session;
  if (user === null) throw new Failure('forbidden', 'This is for users: employees sign in without an account.');
  return { id, user };
}

/** How the company looks on the pages of employees. */
type Brand = Me['workspaces'][number]['company'];

function describe(
  grant: Grant,
  environment: Me['environment'],
  { currencies, brands }: { currencies: ReadonlyMap<number, string>; brands: ReadonlyMap<number, Brand> },
): Me {
  const { token, session, expiresAt, workspaces } = grant;
  const endsAt = expiresAt === null ? null : new Date(expiresAt).toISOString();
  return {
    user: (session?.user ?? null) as Me['user'],
    token: token && { ...token, expiresAt: endsAt },
    session: session && { way: session.way, endsAt: endsAt as string },
    environment,
    workspaces: workspaces.map((one) => ({
      id: one.workspaceId,
      name: one.name,
      role: one.role,
      scopes: [...one.scopes],
      memberId: one.memberId,
      senderName: one.senderName,
      hasLeft: one.hasLeft,
      provesEmail: one.provesEmail,
      seesReportsOnly: one.onlyReportsOf !== null,
      language: one.language,
      currency: currencies.get(one.workspaceId) ?? null,
      timeZone: one.timeZone,
      company: brands.get(one.workspaceId) ?? { name: one.name, colour: null, logo: null },
    })),
  };
}

export const me: Resource = {
  prefix: '/me',
  tag: { name: 'Me', description: 'Who is calling.' },
  schemas: meSchemas,
  routes: meRoutes,
};
