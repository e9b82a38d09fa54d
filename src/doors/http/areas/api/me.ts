import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { changeAccount, changePassword, endOwnSession, readAccount } from '../../../../company/access/account.ts';
import type { Grant } from '../../../../company/access/grants.ts';
import { latestCurrencies } from '../../../../giving/orders/latest-currency.ts';
import { Me, MyAccount, MyChange, MyPassword, MySessionParams, meSchemas } from '../../../../ground/contract/me.ts';
import { ref, strictQuery } from '../../../../ground/contract/schema.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { createPasswordLimit } from '../../limits/pace.ts';
import { problems } from '../../openapi/openapi.ts';
import type { Resource } from './resource.ts';
import { tidyMe } from './tidy-access.ts';

export interface MeOptions {
  environment: Me['environment'];
  lookUps: Queryable;
  people: Database;
}

const json = <S>(schema: S) => ({ content: { 'application/json': { schema } } });

const meRoutes: FastifyPluginAsyncTypebox<MeOptions> = async (app, { environment, lookUps, people }) => {
  const config = { access: 'self' } as const;
  const querystring = strictQuery({});
  // The same limits as for signing in: who has a session of somebody else must not guess the password here.
  const limitPasswords = createPasswordLimit(people);

  app.route({
    method: 'GET',
    url: '',
    config,
    schema: {
      operationId: 'getMe',
      summary: 'Who is calling',
      description:
        'The person or the token that calls, and what they may do in which workspace. It takes no X-Workspace-id.',
      querystring,
      response: {
        200: { description: 'The caller.', ...json(ref(Me)) },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async ({ grant }) => {
      const ids = grant.workspaces.map(({ workspaceId }) => workspaceId);
      return describe(grant, environment, await latestCurrencies(lookUps, ids));
    },
  });

  app.route({
    method: 'PATCH',
    url: '',
    config,
    schema: {
      operationId: 'changeMe',
      summary: 'Change your name or language',
      description: 'For people who are signed in. A token gets 403.',
      body: ref(MyChange),
      response: {
        204: { description: 'Changed.', type: 'null' },
        ...problems(400, 401, 403, 406, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyMe(request.body) as typeof request.body;
    },
    handler: async ({ grant, body }, reply) => {
      const { user } = sessionOf(grant);
      await people.transaction((tx) => changeAccount(tx, user.id, body));
      return reply.code(204).send(null);
    },
  });

  app.route({
    method: 'GET',
    url: '/account',
    config,
    schema: {
      operationId: 'getMyAccount',
      summary: 'How you sign in, and where you are signed in',
      description: 'For people who are signed in. A token gets 403.',
      querystring,
      response: {
        200: { description: 'The account.', ...json(ref(MyAccount)) },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
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

  app.route({
    method: 'POST',
    url: '/password',
    config,
    schema: {
      operationId: 'changeMyPassword',
      summary: 'Choose a password',
      description: 'Ends all your other sessions. For people who are signed in. A token gets 403.',
      body: ref(MyPassword),
      response: {
        204: { description: 'The password is changed.', type: 'null' },
        ...problems(400, 401, 403, 406, 413, 415, 429, 500, 503),
      },
    },
    handler: async ({ grant, body, ip }, reply) => {
      const { id, user } = sessionOf(grant);
      await changePassword(people, { user, sessionId: id }, body, () => limitPasswords(ip, user.email));
      return reply.code(204).send(null);
    },
  });

  app.route({
    method: 'DELETE',
    url: '/sessions/:id',
    config,
    schema: {
      operationId: 'endMySession',
      summary: 'End one of your sessions',
      description: 'Every node refuses it within a second. For people who are signed in. A token gets 403.',
      params: MySessionParams,
      response: {
        204: { description: 'The session has ended.', type: 'null' },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: async ({ grant, params }, reply) => {
      const { user } = sessionOf(grant);
      await people.transaction((tx) => endOwnSession(tx, user, params.id));
      return reply.code(204).send(null);
    },
  });
};

function sessionOf({ session }: Grant) {
  if (!session) throw new Failure('forbidden', 'This is for people who are signed in: a token has no account.');
  return session;
}

function describe(grant: Grant, environment: Me['environment'], currencies: ReadonlyMap<number, string>): Me {
  const { token, session, expiresAt, workspaces } = grant;
  return {
    user: (session?.user ?? null) as Me['user'],
    token: token && { ...token, expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() },
    environment,
    workspaces: workspaces.map(({ workspaceId, name, role, scopes, memberId, onlyReportsOf, language, timeZone }) => ({
      id: workspaceId,
      name,
      role,
      scopes: [...scopes],
      memberId,
      seesReportsOnly: onlyReportsOf !== null,
      language,
      currency: currencies.get(workspaceId) ?? null,
      timeZone,
    })),
  };
}

export const me: Resource<MeOptions> = {
  prefix: '/me',
  tag: { name: 'Me', description: 'Who is calling.' },
  schemas: meSchemas,
  routes: meRoutes,
};
