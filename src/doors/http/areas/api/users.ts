import { lockAccount, signOutEverywhere } from '../../../../company/access/account.ts';
import { actorOf } from '../../../../company/access/actor.ts';
import type { Grant } from '../../../../company/access/grants.ts';
import {
  findManagedUser,
  listUsers,
  mayGiveRole,
  readUser,
  rulesOver,
  type UserRecord,
} from '../../../../company/access/list-users.ts';
import type { Role } from '../../../../company/access/roles.ts';
import { makeSignInLink, signInAddress } from '../../../../company/access/sessions.ts';
import { addUser, findUserOf, giveRole, type KnownUser, takeRole } from '../../../../company/access/users.ts';
import { readGiftSettings } from '../../../../company/workspaces/gift-settings.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { writeSignInMail } from '../../../../giving/delivery/sign-in-mail.ts';
import * as Users from '../../../../ground/contract/user.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { naming } from './naming.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json, nothing } from './returns.ts';
import { versionsOf } from './versions.ts';

const userRoutes: Routes = async (app, options) => {
  const { environment, address, reports, people, userMails } = options;
  const linkFor = async (tx: Queryable, grant: Grant, user: KnownUser) => {
    const { secret, expiresAt } = await makeSignInLink(tx, actorOf(grant), environment, user);
    return { link: signInAddress(address(), secret), expiresAt: expiresAt.toISOString() };
  };

  const invite = async ({ email, link }: { email: string; link: string }, workspaceId: number, by: string | null) => {
    if (!userMails) return false;
    const { name, language } = await readGiftSettings(people, workspaceId);
    const to = { to: email, link, workspaces: [name], language, addedBy: by };
    return (await userMails.directMail.send(writeSignInMail(userMails.letterhead(), to))).delivery === 'SENT';
  };

  operation(app, 'listUsers', 'GET /', 'audit:read', {
    summary: 'List people who sign in',
    description:
      'The people who may sign in to the console of this workspace, and their roles. An unknown parameter gives 400.',
    query: Users.UserQuery,
    returns: json('A page of people, and where the next page begins.', Users.UserPage),
    listsPeople: { of: 'users', field: 'users' },
    handler: async ({ workspaceId, query }) => {
      const { users, next } = await listUsers(reports, workspaceId, query);
      return { users: users.map(shown), next };
    },
  });

  operation(app, 'addUser', 'POST /', 'users:manage', {
    returnsSecret: true,
    summary: 'Add a user',
    description:
      'Adds a user with a role in this workspace, and emails them a sign-in link if a mail server is set up. A user who has one already gives 409. The response is the same whether or not the address is known in other workspaces: if you may not manage users there, the user gets a separate account for this workspace.',
    body: Users.NewUser,
    returns: created('The person, with a link that signs them in.', Users.UserWithLink),
    fails: [409],
    handler: async ({ workspaceId, actor, grant, body }) => {
      const { role, member, ...person } = body;
      checkRole(grant, workspaceId, role);
      const added = await inWorkspace(people, workspaceId, async (tx) => {
        await refuseSecondRole(tx, workspaceId, person.email);
        const user = (await findManagedUser(tx, grant, person.email)) ?? (await addUser(tx, person));
        await naming('member', () =>
          giveRole(tx, actor, user, { workspaceId, role, ...(member !== undefined && { member }) }),
        );
        const { link } = await linkFor(tx, grant, user);
        return { ...shown(await readUser(tx, workspaceId, user.id)), link };
      });
      return { ...added, emailed: await invite(added, workspaceId, actor.name) };
    },
  });

  operation(app, 'getUser', 'GET /:id', 'audit:read', {
    summary: 'Get a user',
    description: 'One person who may sign in to the console of this workspace, and their role.',
    params: Users.UserParams,
    returns: json('The person.', Users.User),
    isVersioned: true,
    handler: async ({ workspaceId, params }, reply) =>
      shown(versions.send(reply, await readUser(reports, workspaceId, params.id))),
  });

  operation(app, 'changeUser', 'PATCH /:id', 'users:manage', {
    summary: "Change a user's role",
    description: 'Takes effect within a second, also in sessions that are open. The last owner stays an owner: 409.',
    params: Users.UserParams,
    body: Users.UserChange,
    returns: json('The person.', Users.User),
    fails: [409],
    isVersioned: true,
    handler: async (request, reply) => {
      const { workspaceId, actor, grant, params, body } = request;
      const changed = await inWorkspace(people, workspaceId, async (tx) => {
        const user = await lockUser(tx, workspaceId, params.id);
        const { role = user.role, member } = body;
        checkRole(grant, workspaceId, user.role);
        checkRole(grant, workspaceId, role);
        await versions.match(request, async () => user);
        await naming('member', () =>
          giveRole(tx, actor, user, { workspaceId, role, ...(member !== undefined && { member }) }),
        );
        return readUser(tx, workspaceId, user.id);
      });
      return shown(versions.send(reply, changed));
    },
  });

  operation(app, 'removeUser', 'DELETE /:id', 'users:manage', {
    summary: 'Remove access',
    description:
      'Takes their role in this workspace away, within a second. If they have no other role, their sessions end and their password is forgotten. The last owner stays: 409.',
    params: Users.UserParams,
    returns: nothing('They have no role here any more.'),
    fails: [409],
    handler: ({ workspaceId, actor, grant, params }) =>
      inWorkspace(people, workspaceId, async (tx) => {
        const user = await lockUser(tx, workspaceId, params.id);
        checkRole(grant, workspaceId, user.role);
        await takeRole(tx, actor, workspaceId, user);
      }),
  });

  operation(app, 'makeSignInLink', 'POST /:id/link', 'users:manage', {
    returnsSecret: true,
    summary: 'Create a sign-in link',
    description:
      'It works once, within 15 minutes, and ends earlier links. A user whose account also has roles in workspaces where you may not manage users gives 403.',
    params: Users.UserParams,
    returns: json('The link.', Users.SignInLink),
    handler: ({ workspaceId, grant, params }) =>
      people.transaction(async (tx) => {
        const user = await readUser(tx, workspaceId, params.id);
        await checkRule(tx, grant, user.id);
        return linkFor(tx, grant, user);
      }),
  });

  operation(app, 'endSessions', 'DELETE /:id/sessions', 'users:manage', {
    summary: 'Sign a user out everywhere',
    description: 'Every node refuses their sessions within a second.',
    params: Users.UserParams,
    returns: nothing('All their sessions have ended.'),
    handler: ({ workspaceId, actor, grant, params }) =>
      people.transaction(async (tx) => {
        const user = await readUser(tx, workspaceId, params.id);
        await checkRule(tx, grant, user.id);
        await signOutEverywhere(tx, actor, user);
      }),
  });
};

function shown({ addedAt, signedInAt, ...user }: UserRecord) {
  return { ...user, addedAt: addedAt.toISOString(), signedInAt: signedInAt?.toISOString() ?? null };
}

/** What people edit. Sign-ins, and what an account has in other workspaces, change without an edit. */
const versions = versionsOf(({ role, memberId }: UserRecord) => ({ role, memberId }));

/** The user, whose account gets and loses no role until the end of the transaction. */
async function lockUser(tx: Queryable, workspaceId: number, id: number): Promise<UserRecord> {
  await lockAccount(tx, id);
  return readUser(tx, workspaceId, id);
}

function checkRole(grant: Grant, workspaceId: number, role: Role): void {
  if (!mayGiveRole(grant, workspaceId, role))
    throw new Failure('forbidden', `You cannot give or remove the role ${role}: it has more permissions than yours.`);
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

export const users: Resource = {
  prefix: '/users',
  tag: { name: 'Users', description: 'The people who sign in to the console, and their roles.' },
  schemas: Users.userSchemas,
  routes: userRoutes,
};
