import type { Command } from 'commander';
import { atTheCommandLine } from '../access/audit.ts';
import { type Role, roles } from '../access/roles.ts';
import { makeSignInLink, signInAddress } from '../access/sessions.ts';
import { findOrAddUser, findUser, giveRole, type KnownUser } from '../access/users.ts';
import { baseUrl } from '../config.ts';
import type { Queryable } from '../database/database.ts';
import { Failure } from '../errors.ts';
import { listWorkspaces } from '../workspaces/workspaces.ts';
import { emailAddress, nameText, oneOfWords, positiveInteger } from './arguments.ts';
import { print } from './output.ts';
import { withDatabase } from './session.ts';

interface LinkOptions {
  email: string;
  name?: string;
  workspace?: number;
  role?: Role;
  member?: string;
  json?: boolean;
}

export function addAdminCommands(program: Command): void {
  const admin = program.command('admin').description('let people sign in to the console');

  admin
    .command('link')
    .description('make a link that signs somebody in once, within 15 minutes')
    .requiredOption('--email <address>', 'who', emailAddress)
    .option(
      '--role <role>',
      `their role from now on: ${roles.join(', ')} (default for newcomers: OWNER)`,
      oneOfWords(roles),
    )
    .option('--workspace <id>', 'the workspace of the role (default: the only one)', positiveInteger)
    .option(
      '--member <who>',
      'e-mail, employee number or id of the member they act as (default: the one with this address)',
    )
    .option('--name <name>', "a newcomer's name (default: the address)", nameText)
    .option('--json', 'print one JSON object')
    .action(async ({ json, ...asked }: LinkOptions) => {
      const made = await withDatabase((database, { environment, publicUrl, host, port }) =>
        database.transaction(async (tx) => {
          const user = await userOf(tx, asked);
          const secret = await makeSignInLink(tx, environment, user);
          return { email: user.email, link: signInAddress(publicUrl ?? baseUrl(host, port), secret), secret };
        }),
      );
      print(json, made, () => `${made.link}\n\nIt signs ${made.email} in once, within 15 minutes.`);
    });
}

async function userOf(tx: Queryable, { email, name, role, workspace, member }: LinkOptions): Promise<KnownUser> {
  const known = await findUser(tx, email);
  const changesRole = role !== undefined || workspace !== undefined || member !== undefined;
  if (known && !changesRole) return known;
  const user = known ?? (await findOrAddUser(tx, { email, name: name ?? email }));
  await giveRole(tx, atTheCommandLine, user, {
    workspaceId: workspace ?? (await onlyWorkspace(tx)),
    role: role ?? 'OWNER',
    ...(member !== undefined && { member }),
  });
  return user;
}

async function onlyWorkspace(tx: Queryable): Promise<number> {
  const [first, second] = await listWorkspaces(tx);
  if (!first) throw new Failure('setup', 'There is no workspace yet: npx giftwire workspace create --name "Acme"');
  if (second) throw new Failure('setup', 'There are several workspaces: say which with --workspace.');
  return first.id;
}
