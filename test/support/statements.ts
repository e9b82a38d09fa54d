import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import pg from 'pg';
import type { Queryable } from '../../src/ground/database/database.ts';
import { aboutSeveral } from './all-workspaces.ts';
import { root } from './source-files.ts';

/*
 * A statement names one workspace: a parameter that is compared with workspace_id of every table of workspaces in it. Tests note the statements
 * that the program sends, and PostgreSQL says whether they do: each scan of such a table in a plan has that condition, also where it follows
 * from a join on the same level.
 */

/** The variable with a folder that has a file for each statement that a process of this run has checked. */
export const checkedVariable = 'GIFTWIRE_TEST_CHECKED';

/** Which function has sent a statement, as file and name. */
const senders = new Map<string, string>();
const unchecked = new Set<string>();

for (const { prototype } of [pg.Pool, pg.Client]) {
  const query = prototype.query as (...given: unknown[]) => unknown;
  prototype.query = function (this: unknown, ...given: unknown[]): unknown {
    note(given[0]);
    return query.apply(this, given);
  } as typeof prototype.query;
}

function note(statement: unknown): void {
  const text = typeof statement === 'string' ? statement : (statement as pg.QueryConfig).text;
  if (!text || senders.has(text)) return;
  const sender = findSender();
  if (sender === null) return;
  senders.set(text, sender);
  if (/^\s*(?:select|with|insert|update|delete)\b/.test(withoutCursor(text))) unchecked.add(text);
}

function withoutCursor(text: string): string {
  return text.replace(/^declare \w+ no scroll cursor for /, '');
}

/** These pass on what others send. */
const passesOn =
  /^$|^node:|^node_modules\/|^src\/ground\/(?:database|traces)\/|^test\/support\/(?:statements|database)\.ts$/;

/** Null for a statement of a test, and for one that the driver sends later because no connection was free: it was noted before. */
function findSender(): string | null {
  for (const { scriptName, functionName } of getCallSites(50)) {
    const path = scriptName.startsWith('file:') ? relative(root, fileURLToPath(scriptName)) : scriptName;
    if (passesOn.test(path)) continue;
    return path.startsWith('src/') ? `${path} ${functionName}` : null;
  }
  return null;
}

/** Checks the statements that this process has sent since the last call, and that no process of the run has checked. `on` is a database with the schema. */
export async function checkStatements(on: Queryable): Promise<void> {
  const folder = process.env[checkedVariable];
  const texts = [...unchecked];
  unchecked.clear();
  if (folder === undefined || texts.length === 0) return;
  const tables = await readTables(on);
  const wrong: string[] = [];
  for (const text of texts) {
    const file = join(folder, createHash('sha256').update(text).digest('hex'));
    if (existsSync(file)) continue;
    const plan = await explain(on, text);
    if (plan === null) continue;
    writeFileSync(file, '');
    const sender = senders.get(text) as string;
    const open = new Set(openScans(plan, tables));
    if (open.size > 0 && !isListed(sender)) wrong.push(`${sender} (${[...open].join(', ')}): ${text}`);
  }
  assert.deepEqual(
    wrong,
    [],
    'compare workspace_id of each of these tables with one parameter, or see all-workspaces.ts',
  );
}

function isListed(sender: string): boolean {
  const [path = '', name = ''] = sender.split(' ');
  return aboutSeveral.some((senders) => senders[path]?.includes(name));
}

/** The tables of workspaces, with the column that names the workspace. Who may enter a workspace is in small tables of the installation. */
async function readTables(on: Queryable): Promise<ReadonlyMap<string, string>> {
  const rows = await on.query<{ name: string; column: string }>(`
    select c.relname as name, a.attname as column
      from pg_index i
      join pg_class c     on c.oid = i.indrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where i.indisprimary
       and c.relnamespace = 'public'::regnamespace
       and (a.attname = 'workspace_id' or c.relname = 'workspaces')
       and c.relname not in ('user_roles', 'api_token_workspaces', 'session_members')`);
  return new Map(rows.map(({ name, column }) => [name, column]));
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Filter?: string;
  Plans?: Plan[];
}

/** Tables, columns or functions that this database does not have, because the statement is about another schema; a server without `generic_plan`. */
const unknown = new Set(['42P01', '42703', '42883', '42601']);

/** Null where PostgreSQL cannot say. */
async function explain(on: Queryable, text: string): Promise<Plan | null> {
  try {
    const [row] = await on.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (generic_plan, verbose, format json) ${withoutCursor(text)}`,
      [],
      'once',
    );
    return row?.['QUERY PLAN'][0].Plan ?? null;
  } catch (error) {
    if (unknown.has((error as { code?: string }).code ?? '')) return null;
    throw error;
  }
}

/** The tables that a plan reads without the condition. A read of the list of workspaces alone is none of them. */
function openScans(plan: Plan, tables: ReadonlyMap<string, string>): string[] {
  const nodes = nodesOf(plan).filter((node) => tables.has(node['Relation Name'] ?? ''));
  if (nodes.every((node) => node['Relation Name'] === 'workspaces' && node['Node Type'].endsWith('Scan'))) return [];
  return nodes.flatMap((node) => {
    const table = node['Relation Name'] as string;
    return node['Node Type'].endsWith('Scan') && !namesWorkspace(node, tables.get(table) as string) ? [table] : [];
  });
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function namesWorkspace({ Alias, Filter, ...node }: Plan, column: string): boolean {
  const conditions = [node['Index Cond'], node['Recheck Cond'], Filter].join(' ');
  return new RegExp(`(?:^|[ (])"?${Alias}"?\\.${column} = \\(?\\$\\d`).test(conditions);
}
