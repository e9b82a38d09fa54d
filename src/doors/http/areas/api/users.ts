import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { lockAccount, signOutEverywhere } from '../../../../company/access/account.ts';
import { actorOf } from '../../../../company/access/actor.ts';
import type { Grant } from '../../../../company/access/grants.ts';
import {
  findManagedUser,
  listUsers,
  mayGive,
  readUser,
  rulesOver,
  type UserRecord,
} from '../../../../company/access/list-users.ts';
import { type Role, scopesOfRole } from '../../../../company/access/roles.ts';
import { makeSignInLink, signInAddress } from '../../../../company/access/sessions.ts';
import { addUser, findUserOf, giveRole, type KnownUser, takeRole } from '../../../../company/access/users.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import * as Users from '../../../../ground/contract/user.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { naming } from './naming.ts';
import type { Resource } from './resource.ts';
import { tidyUser, tidyUserChange } from './tidy-access.ts';

export interface UserOptions {
  environment: 'test' | 'production';
  /** Where people reach the service. */
  address: () => string;
  reports: Queryable;
  people: Database;
}

const json = <S>(schema: S) => ({ content: { 'application/json': { schema } } });

const userRoutes: FastifyPluginAsyncTypebox<UserOptions> = async (app, options) => {
  const { environment, address, reports, people } = options;
  const headers = Type.Object(WorkspaceHeader);
  const config = { access: 'users:manage' } as const;
  const linkFor = async (tx: Queryable, grant: Grant, user: KnownUser) => {
    const { secret, expiresAt } = await makeSignInLink(tx, actorOf(grant), environment, user);
    return { link: signInAddress(address(), secret), expiresAt: expiresAt.toISOString() };
  };

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'audit:read' },
    schema: {
      operationId: 'listUsers',
      summary: 'List people who sign in',
      description:
        'The people who may sign in to the console of this workspace, and their roles. An unknown parameter gives 400.',
      headers,
      querystring: Users.UserQuery,
      response: {
        200: { description: 'A page of people, and where to go on.', ...json(ref(Users.UserPage)) },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, query }) => {
      const { users, next } = await listUsers(reports, caller.workspace.workspaceId, query);
      return { users: users.map(shown), next };
    },
  });

  app.route({
    method: 'POST',
    url: '',
    config,
    schema: {
      operationId: 'addUser',
      summary: 'Let somebody sign in',
      description:
        'Adds a user with a role in this workspace. A user who has one already gives 409. The response is the same whether or not the address is known in other workspaces: if you may not manage users there, the user gets a separate account for this workspace.',
      headers,
      body: ref(Users.NewUser),
      response: {
        201: { description: 'The person, with a link that signs them in.', ...json(ref(Users.UserWithLink)) },
        ...problems(400, 401, 403, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyUser(request.body) as typeof request.body;
    },
    handler: async ({ caller, grant, body }, reply) => {
      const { workspaceId } = caller.workspace;
      const { role, member, ...person } = body;
      checkRole(grant, workspaceId, role);
      const added = await inWorkspace(people, workspaceId, async (tx) => {
        await refuseSecondRole(tx, workspaceId, person.email);
        const user = (await findManagedUser(tx, grant, person.email)) ?? (await addUser(tx, person));
        await naming('member', () =>
          giveRole(tx, actorOf(grant), user, { workspaceId, role, ...(member !== undefined && { member }) }),
        );
        const { link } = await linkFor(tx, grant, user);
        return { ...shown(await readUser(tx, workspaceId, user.id)), link };
      });
      return reply.code(201).send(added);
    },
  });

  app.route({
    method: 'PATCH',
    url: '/:id',
    config,
    schema: {
      operationId: 'changeUser',
      summary: "Change somebody's role",
      description: 'Takes effect within a second, also in sessions that are open. The last owner stays an owner: 409.',
      headers,
      params: Users.UserParams,
      body: ref(Users.UserChange),
      response: {
        200: { description: 'The person.', ...json(ref(Users.User)) },
        ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyUserChange(request.body) as typeof request.body;
    },
    handler: ({ caller, grant, params, body }) => {
      const { workspaceId } = caller.workspace;
      return inWorkspace(people, workspaceId, async (tx) => {
        const user = await lockUser(tx, workspaceId, params.id);
        const { role = user.role, member } = body;
        checkRole(grant, workspaceId, user.role);
        checkRole(grant, workspaceId, role);
        await naming('member', () =>
          giveRole(tx, actorOf(grant), user, { workspaceId, role, ...(member !== undefined && { member }) }),
        );
        return shown(await readUser(tx, workspaceId, user.id));
      });
    },
  });

  app.route({
    method: 'DELETE',
    url: '/:id',
    config,
    schema: {
      operationId: 'removeUser',
      summary: 'Let somebody in no more',
      description:
        'Takes their role in this workspace away, within a second. If they have no other role, their sessions end and their password is forgotten. The last owner stays: 409.',
      headers,
      params: Users.UserParams,
      response: {
        204: { description: 'They have no role here any more.', type: 'null' },
        ...problems(400, 401, 403, 404, 406, 409, 429, 500, 503),
      },
    },
    handler: async ({ caller, grant, params }, reply) => {
      const { workspaceId } = caller.workspace;
      await inWorkspace(people, workspaceId, async (tx) => {
        const user = await lockUser(tx, workspaceId, params.id);
        checkRole(grant, workspaceId, user.role);
        await takeRole(tx, actorOf(grant), workspaceId, user);
      });
      return reply.code(204).send(null);
    },
  });

  app.route({
    method: 'POST',
    url: '/:id/link',
    config,
    schema: {
      operationId: 'makeSignInLink',
      summary: 'Make a link that signs somebody in',
      description:
        'It works once, within 15 minutes, and ends earlier links. A user whose account also has roles in workspaces where you may not manage users gives 403.',
      headers,
      params: Users.UserParams,
      response: {
        200: { description: 'The link.', ...json(ref(Users.SignInLink)) },
        ...problems(400, 401, 403, 404, 406, 413, 415, 429, 500, 503),
      },
    },
    handler: ({ caller, grant, params }) =>
      people.transaction(async (tx) => {
        const user = await readUser(tx, caller.workspace.workspaceId, params.id);
        await checkRule(tx, grant, user.id);
        return linkFor(tx, grant, user);
      }),
  });

  app.route({
    method: 'DELETE',
    url: '/:id/sessions',
    config,
    schema: {
      operationId: 'endSessions',
      summary: 'Sign somebody out everywhere',
      description: 'Every node refuses their sessions within a second.',
      headers,
      params: Users.UserParams,
      response: {
        204: { description: 'All their sessions have ended.', type: 'null' },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, grant, params }, reply) => {
      await people.transaction(async (tx) => {
        const user = await readUser(tx, caller.workspace.workspaceId, params.id);
        await checkRule(tx, grant, user.id);
        await signOutEverywhere(tx, actorOf(grant), user);
      });
      return reply.code(204).send(null);
    },
  });
};

function shown({ addedAt, signedInAt, ...user }: UserRecord) {
  return { ...user, addedAt: addedAt.toISOString(), signedInAt: signedInAt?.toISOString() ?? null };
}

/** The user, whose account gets and loses no role until the end of the transaction. */
async function lockUser(tx: Queryable, workspaceId: number, id: number): Promise<UserRecord> {
  await lockAccount(tx, id);
  return readUser(tx, workspaceId, id);
}

function checkRole(grant: Grant, workspaceId: number, role: Role): void {
  if (!mayGive(grant, workspaceId, scopesOfRole[role]))
    throw new Failure('forbidden', `You may not decide about the role ${role}, because it allows more than yours.`);
}

async function checkRule(tx: Queryable, grant: Grant, userId: number): Promise<void> {
  if (!(await rulesOver(tx, grant, userId)))
    throw new Failure(
      'forbidden',
      'This account also has roles in workspaces where you may not manage users: ask an operator of Giftwire.',
    );
}

async function refuseSecondRole(tx: Queryable, workspaceId: number, email: string): Promise<void> {
  const known = await findUserOf(tx, workspaceId, email);
  if (known) throw new Failure('conflict', `${known.email} signs in to this workspace already: change their role.`);
}

export const users: Resource<UserOptions> = {
  prefix: '/users',
  tag: { name: 'Users', description: 'The people who sign in to the console, and their roles.' },
  schemas: Users.userSchemas,
  routes: userRoutes,
};
