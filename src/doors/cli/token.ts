import type { Command } from 'commander';
import { type Scope, scopes, usualScopes } from '../../company/access/scopes.ts';
import {
  createToken,
  type IssuedToken,
  listTokens,
  type RotatedToken,
  revokeToken,
  rotateToken,
  type TokenRecord,
} from '../../company/access/tokens.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { readNow } from '../../ground/database/clock.ts';
import { durationMs, nameText, positiveInteger, positiveIntegers, rateLimit, scopeList } from './arguments.ts';
import { giftwire } from './call.ts';
import { cell, fields, print, table } from './output.ts';
import { inTransaction, withDatabase } from './session.ts';

interface CreateOptions {
  workspace: number[];
  name?: string;
  scopes?: string[];
  expires?: number;
  member?: string;
  rateLimit?: number;
  json?: boolean;
}

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('create, list, rotate and revoke API tokens');

  token
    .command('create')
    .description('create a token; its secret is shown only once')
    .requiredOption('--workspace <id>', 'a workspace that it may use; several with commas: 1,2', positiveIntegers)
    .option('--name <name>', "the sender's name on its gifts (default: the workspace's name)", nameText)
    .option(
      '--scopes <list>',
      `some of ${scopes.join(', ')} (default: all but ${scopes.filter((scope) => !usualScopes.includes(scope)).join(', ')})`,
      scopeList,
    )
    .option('--expires <duration>', 'when it expires, for example 90d or 12h (default: never)', durationMs)
    .option('--member <who>', 'email, employee number or id of the member it acts as (default: a member of its own)')
    .option('--rate-limit <n>', 'requests per minute (default: no limit)', rateLimit)
    .option('--json', 'print one JSON object')
    .action(async ({ workspace, name, scopes: chosen, expires, member, rateLimit: limit, json }: CreateOptions) => {
      const issued = await withDatabase((database, { environment }) =>
        database.transaction((tx) =>
          createToken(tx, atTheCommandLine, environment, {
            name: name ?? null,
            scopes: chosen ?? usualScopes,
            workspaces: workspace,
            lastsMs: expires ?? null,
            rateLimitPerMinute: limit ?? null,
            ...(member !== undefined && { actsAs: member }),
          }),
        ),
      );
      print(json, issued, () => describe(issued));
    });

  token
    .command('list')
    .description('list the tokens, without their secrets')
    .option('--json', 'print one JSON array')
    .action(async ({ json }: { json?: boolean }) => {
      const { tokens, now } = await withDatabase(async (database) => ({
        tokens: await listTokens(database),
        now: await readNow(database),
      }));
      print(json, tokens, () =>
        tokens.length === 0
          ? `There is no token yet: ${giftwire} token create --workspace 1 --name "Payroll"`
          : table(
              ['Id', 'Name', 'Secret', 'Workspaces', 'State', 'Scopes'],
              tokens.map((one) => [one.id, one.name, `…${one.hint}`, one.workspaces, state(one, now), scopesOf(one)]),
            ),
      );
    });

  token
    .command('revoke')
    .argument('<id>', 'its id', positiveInteger)
    .description('end a token at once')
    .option('--json', 'print one JSON object')
    .action(async (id: number, { json }: { json?: boolean }) => {
      const revoked = await inTransaction((tx) => revokeToken(tx, atTheCommandLine, id));
      print(json, revoked, () => `Token ${revoked.id} is revoked: every process refuses it within a second.`);
    });

  token
    .command('rotate')
    .argument('<id>', 'its id', positiveInteger)
    .description('create a new token with the same rights and end the old one')
    .option(
      '--overlap <duration>',
      'how long the old one still works, for example 24h (default: it ends at once)',
      durationMs,
    )
    .option('--json', 'print one JSON object')
    .action(async (id: number, { json, overlap = 0 }: { json?: boolean; overlap?: number }) => {
      const rotated = await withDatabase((database, { environment }) =>
        database.transaction((tx) => rotateToken(tx, atTheCommandLine, environment, id, overlap)),
      );
      print(json, rotated, () => `${describe(rotated)}\n${describeEnd(rotated)}`);
    });
}

function describe({ id, name, token, workspaces, scopes, expiresAt }: IssuedToken): string {
  const shown = fields({ id, name, token, workspaces, scopes, expires: expiresAt ?? 'never' });
  return `${shown}\n\nKeep the token now: it is not shown again.`;
}

function describeEnd({ replaces, oldHint, oldEndsAt, createdAt }: RotatedToken): string {
  const old = `The old secret (token ${replaces}, …${oldHint})`;
  return oldEndsAt > createdAt
    ? `${old} works until ${cell(oldEndsAt)}; "${giftwire} token revoke ${replaces}" ends it earlier.`
    : `${old} has ended: every process refuses it within a second.`;
}

function state({ revokedAt, expiresAt }: TokenRecord, now: Date): string {
  if (revokedAt) return `revoked ${cell(revokedAt)}`;
  if (!expiresAt) return 'active';
  return `${expiresAt <= now ? 'expired' : 'active until'} ${cell(expiresAt)}`;
}

function scopesOf(token: TokenRecord): string {
  if (!usualScopes.every((scope) => token.scopes.includes(scope))) return token.scopes.join(', ');
  return ['all', ...token.scopes.filter((scope) => !usualScopes.includes(scope as Scope))].join(', ');
}
