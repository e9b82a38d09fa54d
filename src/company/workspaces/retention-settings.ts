import type { Actor } from '../../ground/contract/actor.ts';
import type { RetentionPreview, RetentionRule } from '../../ground/contract/retention.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { RetentionKind } from '../../ground/values/retention-kinds.ts';
import { audit } from './audit.ts';
import { daysOf, momentBefore, type Retention, type RetentionSettings, runOf } from './retention.ts';
import { noWorkspace } from './workspaces.ts';

/** The most that a workspace can set: a hundred years. */
const mostDays = 36_500;

/** How long a workspace keeps each kind, in the order in which the kinds are declared. */
export async function readRetention(
  on: Queryable,
  retentions: readonly Retention[],
  workspaceId: number,
): Promise<RetentionRule[]> {
  const settings = await readRetentionSettings(on, workspaceId);
  const runs = await on.query<{ kind: string; removed: number }>(
    'select kind, removed from retention_runs where workspace_id = $1',
    [workspaceId],
  );
  const removedOf = (one: Retention) => runs.find(({ kind }) => kind === runOf(one))?.removed ?? 0;
  return byKind(retentions).map(([retention, counted]) => ({
    kind: retention.kind,
    days: daysOf(retention, settings),
    isUsual: settings[retention.kind] === undefined,
    usualDays: retention.usualDays,
    leastDays: retention.leastDays,
    mostDays: retention.mostDays ?? mostDays,
    removed: counted.map(removedOf).reduce((sum, one) => sum + one, 0),
    what: retention.what,
    why: retention.why,
  }));
}

/** As `readRetention`, for a change: nothing else changes it until the transaction ends. */
export async function readRetentionToChange(
  tx: Queryable,
  retentions: readonly Retention[],
  workspaceId: number,
): Promise<RetentionRule[]> {
  await readRetentionSettings(tx, workspaceId, 'for no key update');
  return readRetention(tx, retentions, workspaceId);
}

/** The first declaration of each kind, which describes it, and those of it that are counted. */
function byKind(retentions: readonly Retention[]): [Retention, Retention[]][] {
  const kinds = Map.groupBy(retentions, ({ kind }) => kind).values();
  return [...kinds].map((parts) => [parts[0] as Retention, parts.filter(({ isCopy }) => !isCopy)]);
}

async function readRetentionSettings(on: Queryable, workspaceId: number, lock = ''): Promise<RetentionSettings> {
  const row = await queryOptional<{ retention: RetentionSettings }>(
    on,
    `select retention from workspaces where id = $1 ${lock}`,
    [workspaceId],
  );
  if (!row) throw noWorkspace(workspaceId);
  return row.retention;
}

/** How many records the next run removes, by kind. */
export async function previewRetention(
  on: Queryable,
  retentions: readonly Retention[],
  workspaceId: number,
): Promise<RetentionPreview['due']> {
  const settings = await readRetentionSettings(on, workspaceId);
  const counts: RetentionPreview['due'] = [];
  for (const [{ kind }, counted] of byKind(retentions)) {
    let rows = 0;
    for (const retention of counted) rows += await countOld(on, retention, workspaceId, daysOf(retention, settings));
    counts.push({ kind, rows });
  }
  return counts;
}

async function countOld(
  on: Queryable,
  retention: Retention,
  workspaceId: number,
  days: number | null,
): Promise<number> {
  if (days === null) return 0;
  const before = await momentBefore(on, days);
  if ('countDue' in retention) return retention.countDue(on, workspaceId, before);
  const { table, isReached, isRemovable, isExpected = isRemovable } = retention;
  const { rows } = await queryOne<{ rows: number }>(
    on,
    `select count(*) as rows from ${table} t where t.workspace_id = $1 and ${isReached} and ${isExpected}`,
    [workspaceId, before],
  );
  return rows;
}

/** How long a kind is kept: a number of days, null for as long as the workspace exists, `usual` for the default. */
export interface RetentionTerm {
  kind: string;
  days: number | null | 'usual';
}

/** Sets how long a workspace keeps some kinds; others stay as they are. */
export async function setRetention(
  tx: Queryable,
  actor: Actor,
  retentions: readonly Retention[],
  workspaceId: number,
  terms: readonly RetentionTerm[],
): Promise<void> {
  for (const [nth, term] of terms.entries()) checkTerm(retentions, term, `changes[${nth}]`);
  const before = await readRetentionSettings(tx, workspaceId, 'for no key update');
  const after: Record<string, number | null> = { ...before };
  for (const { kind, days } of terms)
    if (days === 'usual') delete after[kind];
    else after[kind] = days;
  const changed = terms.filter(({ kind }) => before[kind] !== after[kind]);
  if (changed.length === 0) return;
  await tx.query('update workspaces set retention = $2 where id = $1', [workspaceId, JSON.stringify(after)]);
  // The next pass begins at once, with the rows that were kept before.
  const runs = retentions.filter(({ kind }) => changed.some((one) => one.kind === kind)).map(runOf);
  await tx.query(
    'update retention_runs set next_at = now(), after_key = null where workspace_id = $1 and kind = any($2::text[])',
    [workspaceId, runs],
  );
  const retention = Object.fromEntries(changed.map(({ kind, days }) => [kind, days]));
  await audit(tx, { workspaceId, actor, action: 'settings.changed', detail: { retention } });
}

/** `path` is where an API request has the term. */
function checkTerm(retentions: readonly Retention[], { kind, days }: RetentionTerm, path: string): void {
  const failure = (field: 'kind' | 'days', message: string) =>
    new Failure('invalid', message, { faults: [{ path: `${path}.${field}`, problem: message }] });
  const found = retentions.find((one) => one.kind === kind);
  if (!found) {
    const kinds = new Set<RetentionKind>(retentions.map((one) => one.kind));
    throw failure('kind', `${kind} is always kept. Choose one of: ${[...kinds].join(', ')}.`);
  }
  const most = found.mostDays ?? mostDays;
  if (typeof days === 'number' && (days < found.leastDays || days > most))
    throw failure('days', `${kind} can be kept for ${found.leastDays} to ${most} days.`);
  if (days === null && found.mostDays !== undefined)
    throw failure('days', `${kind} cannot be kept for more than ${most} days.`);
}
