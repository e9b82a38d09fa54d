import type { Command } from 'commander';
import { resetAccount, signOutEverywhere } from '../../company/access/account.ts';
import { listUsers, type UserRecord } from '../../company/access/list-users.ts';
import { type Role, roles } from '../../company/access/roles.ts';
import { makeSignInLink, signInAddress } from '../../company/access/sessions.ts';
import {
  addUser,
  findAccount,
  findRole,
  findUsers,
  giveRole,
  type KnownUser,
  takeRole,
} from '../../company/access/users.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { lockWorkspace } from '../../company/workspaces/lock.ts';
import { checkWorkspace, listWorkspaces } from '../../company/workspaces/workspaces.ts';
import { baseUrl } from '../../ground/config/config.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { emailAddress, forWorkspace, nameText, oneOfWords, positiveInteger } from './arguments.ts';
import { giftwire } from './call.ts';
import { counted, print, table } from './output.ts';
import { inTransaction, withDatabase } from './session.ts';

interface LinkOptions {
  email: string;
  name?: string;
  workspace?: number;
  role?: Role;
  member?: string;
  reset?: boolean;
  json?: boolean;
}

export function addAdminCommands(program: Command): void {
  const admin = program.command('admin').description('manage console users');

  admin
    .command('link')
    .description('create a one-time sign-in link, valid for 15 minutes')
    .requiredOption('--email <address>', 'who', emailAddress)
    .option(
      '--role <role>',
      `their role from now on: ${roles.join(', ')} (default: the one that they have; for newcomers OWNER)`,
      oneOfWords(roles),
    )
    .option('--workspace <id>', 'the workspace of the role (default: the only one)', positiveInteger)
    .option(
      '--member <who>',
      'email, employee number or id of the member they act as (default: the one with this address)',
    )
    .option('--name <name>', "a newcomer's name (default: the address)", nameText)
    .option('--reset', 'end their sessions, forget password and OpenID provider: the link is the only way in')
    .option('--json', 'print one JSON object')
    .action(async ({ reset, json, ...asked }: LinkOptions) => {
      const made = await withDatabase((database, { environment, publicUrl, host, port }) =>
        database.transaction(async (tx) => {
          const user = await userOf(tx, asked);
          if (reset) await resetAccount(tx, atTheCommandLine, user);
          const { secret } = await makeSignInLink(tx, atTheCommandLine, environment, user);
          return { email: user.email, link: signInAddress(publicUrl ?? baseUrl(host, port), secret), secret };
        }),
      );
      print(json, made, () => `${made.link}\n\nIt signs ${made.email} in once, within 15 minutes.`);
    });

  forWorkspace(admin.command('list'))
    .description('list who may sign in to a workspace, and their roles')
    .action(async ({ workspace, json }: { workspace: number; json?: boolean }) => {
      const users = await withDatabase((database) => listAll(database, workspace));
      print(json, users, () =>
        users.length === 0
          ? `Workspace ${workspace} has no users yet. Add one: ${giftwire} admin link --email you@example.com`
          : table(
              ['Id', 'E-mail', 'Name', 'Role', 'Last signed in', 'Sessions'],
              users.map((one) => [one.id, one.email, one.name, one.role, one.signedInAt, one.sessions]),
            ),
      );
    });

  admin
    .command('role')
    .argument('<email>', 'who', emailAddress)
    .argument('<role>', roles.join(', '), oneOfWords(roles))
    .description("change a user's role in a workspace")
    .option('--workspace <id>', 'the workspace (default: the only one)', positiveInteger)
    .option('--member <who>', 'email, employee number or id of the member they act as')
    .option('--json', 'print one JSON object')
    .action(async (email: string, role: Role, { workspace, member, json }: Omit<LinkOptions, 'email'>) => {
      const changed = await inTransaction(async (tx) => {
        const workspaceId = workspace ?? (await onlyWorkspace(tx));
        const user = known(email, await findAccount(tx, workspaceId, email));
        const given = { workspaceId, role, ...(member !== undefined && { member }) };
        const needsLink = await giveRole(tx, atTheCommandLine, user, given);
        return { email: user.email, workspaceId, role, needsLink };
      });
      const { workspaceId, needsLink } = changed;
      const next = needsLink
        ? `\n\nThey had none before and need a link: ${giftwire} admin link --email ${changed.email}`
        : '';
      print(json, changed, () => `${changed.email} is ${role} of workspace ${workspaceId} within a second.${next}`);
    });

  admin
    .command('revoke')
    .argument('<email>', 'who', emailAddress)
    .description("remove a user's access to a workspace")
    .option('--workspace <id>', 'the workspace (default: the only one)', positiveInteger)
    .option('--json', 'print one JSON object')
    .action(async (email: string, { workspace, json }: Pick<LinkOptions, 'workspace' | 'json'>) => {
      const revoked = await inTransaction(async (tx) => {
        const workspaceId = workspace ?? (await onlyWorkspace(tx));
        const user = known(email, await findAccount(tx, workspaceId, email));
        if (!(await takeRole(tx, atTheCommandLine, workspaceId, user)))
          throw new Failure('setup', `${user.email} has no role in workspace ${workspaceId}.`);
        return { email: user.email, workspaceId };
      });
      print(json, revoked, () => `${revoked.email} has no right to workspace ${revoked.workspaceId} within a second.`);
    });

  admin
    .command('sign-out')
    .argument('<email>', 'who', emailAddress)
    .description('sign a user out everywhere')
    .option('--json', 'print one JSON object')
    .action(async (email: string, { json }: { json?: boolean }) => {
      const ended = await inTransaction(async (tx) => {
        const users = await findUsers(tx, email);
        let sessions = 0;
        for (const user of users) sessions += await signOutEverywhere(tx, atTheCommandLine, user);
        return { email: known(email, users[0]).email, sessions };
      });
      print(json, ended, () => `${counted(ended.sessions, 'session')} of ${ended.email} ended.`);
    });
}

function known(email: string, user: KnownUser | null | undefined): KnownUser {
  if (user) return user;
  throw new Failure(
    'setup',
    `No user has the email address ${email}. Add one: ${giftwire} admin link --email ${email}`,
  );
}

async function listAll(database: Queryable, workspaceId: number): Promise<UserRecord[]> {
  await checkWorkspace(database, workspaceId);
  const all: UserRecord[] = [];
  for (let after: number | null = Number.MAX_SAFE_INTEGER; after !== null; ) {
    const page: { users: UserRecord[]; next: number | null } = await listUsers(database, workspaceId, {
      after,
      size: 1_000,
    });
    all.push(...page.users);
    after = page.next;
  }
  return all;
}

async function userOf(tx: Queryable, { email, name, role, workspace, member }: LinkOptions): Promise<KnownUser> {
  if (role === undefined && workspace === undefined && member === undefined) {
    const only = await onlyAccount(tx, email);
    if (only) return only;
  }
  const workspaceId = workspace ?? (await onlyWorkspace(tx));
  await lockWorkspace(tx, workspaceId);
  const account = await findAccount(tx, workspaceId, email);
  const held = account && role === undefined ? await roleHeld(tx, account, workspaceId) : null;
  if (account && held && member === undefined) return account;
  const user = account ?? (await addUser(tx, { email, name: name ?? email }));
  await giveRole(tx, atTheCommandLine, user, {
    workspaceId,
    role: role ?? held ?? 'OWNER',
    ...(member !== undefined && { member }),
  });
  return user;
}

/** The account of an email address; null if it does not exist. */
async function onlyAccount(tx: Queryable, email: string): Promise<KnownUser | null> {
  const [first, second] = await findUsers(tx, email);
  if (second?.hasRole)
    throw new Failure('setup', `${email} has separate accounts in several workspaces: say which with --workspace.`);
  return first ?? null;
}

/** A link must not make an existing user an owner by accident: only a new user gets a default role. */
async function roleHeld(tx: Queryable, user: KnownUser, workspaceId: number): Promise<Role> {
  const held = await findRole(tx, workspaceId, user.id);
  if (held) return held;
  throw new Failure('setup', `${user.email} has no role in workspace ${workspaceId}: say which one with --role.`);
}

async function onlyWorkspace(tx: Queryable): Promise<number> {
  const [first, second] = await listWorkspaces(tx);
  if (!first) throw new Failure('setup', `There is no workspace yet: ${giftwire} workspace create --name "Acme"`);
  if (second) throw new Failure('setup', 'There are several workspaces: say which with --workspace.');
  return first.id;
}
