import { lockWorkspace } from '../../company/workspaces/lock.ts';
import { type Database, type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { historyBase } from '../../ground/database/history.ts';
import { readCheckpoint, readContent, storeCheckpoint } from './checkpoint.ts';
import { type LedgerFault, mostFindings } from './checks.ts';
import { hasFullProblems } from './outcomes.ts';
import { type ComparedPiece, comparePiece, type Progress, type VerificationStage } from './pieces.ts';
import { sealedRecords } from './sealed.ts';
import { aboutCheckpoint, checkpointProblems, isReadable, unreadableCheckpoint, verifySince } from './since.ts';

/** A verification of a workspace that workers run: of everything, piece by piece, or of what is new. */
interface Run {
  workspaceId: number;
  number: number;
  kind: 'FULL' | 'DAILY';
  stage: VerificationStage | null;
  after: string | null;
  carried: Progress['carried'] & { at?: string; retryAt?: string };
  faults: LedgerFault[];
}

/** What a step has done. */
export interface VerificationStep {
  workspaceId: number;
  kind: Run['kind'];
  /** Null while it goes on. */
  faults: LedgerFault[] | null;
}

const lockKey = 0x76_65_72_69; // "veri"

/**
 * Does the next step of the verification that waits longest, one that has not failed before one that has: a piece of it, or its end. One step runs at a time in the database, on any node; a
 * step and the note of how far it has come are one transaction, so that a killed node repeats at most one piece. Null: there is nothing to do, or another
 * node does it.
 */
export async function runVerification(
  database: Database,
  most?: Parameters<typeof comparePiece>[3],
): Promise<VerificationStep | null> {
  const run = await queryOptional<Run>(database, nextSql);
  if (!run) return null;
  try {
    return await database.transaction((tx) => (run.stage === 'store' ? store(tx, run) : compare(tx, run, most)));
  } catch (error) {
    await noteFailure(database, run, error);
    throw error;
  }
}

const runColumns = `workspace_id as "workspaceId", number, kind, subject as stage, after_key as after, carried, faults`;

const nextSql = `
  select ${runColumns} from verifications 
   where finished_at is null and coalesce((carried ->> 'retryAt')::timestamptz <= now(), true)
   order by failures, requested_at, workspace_id, number
   limit 1`;

/** Whether this transaction alone works on verifications, and this one is as it was read. */
async function claim(tx: Queryable, { workspaceId, number, stage, after }: Run): Promise<boolean> {
  const { isAlone } = await queryOne<{ isAlone: boolean }>(
    tx,
    'select pg_try_advisory_xact_lock($1::bigint) as "isAlone"',
    [lockKey],
  );
  if (!isAlone) return false;
  const rows = await tx.query(
    `select 1
       from verifications
      where workspace_id = $1 and number = $2 and finished_at is null
        and subject is not distinct from $3 and after_key is not distinct from $4
        for update`,
    [workspaceId, number, stage, after],
  );
  return rows.length > 0;
}

/** The workers' connections find rows by key. These statements read much of large tables. */
const planSql = `
  select set_config('plan_cache_mode', 'auto', true), set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true),
         set_config('enable_seqscan', 'on', true), set_config('work_mem', '64MB', true)`;

async function compare(
  tx: Queryable,
  run: Run,
  most: Parameters<typeof comparePiece>[3],
): Promise<VerificationStep | null> {
  await tx.query('set transaction isolation level repeatable read');
  if (!(await claim(tx, run))) return null;
  await tx.query(planSql);
  const { workspaceId, kind, stage, after, carried } = run;
  const piece =
    kind === 'FULL'
      ? await comparePiece(tx, workspaceId, { stage: stage ?? 'begin', after, carried }, most)
      : await compareNew(tx, workspaceId);
  const faults = merged(run.faults, piece.faults);
  await tx.query(noteSql, [
    workspaceId,
    run.number,
    piece.next.stage,
    piece.next.after,
    JSON.stringify({ ...piece.next.carried, at: '' }),
    piece.rows,
    piece.expected ?? null,
    JSON.stringify(faults),
  ]);
  return { workspaceId, kind, faults: null };
}

/** The checkpoint that follows from the latest piece is of the moment of its transaction. */
const noteSql = `
  update verifications
     set started_at = coalesce(started_at, now()), subject = $3, after_key = $4, carried = jsonb_set($5::jsonb - 'retryAt', '{at}', to_jsonb(now()::text)),
         rows_done = rows_done + $6, rows_expected = coalesce($7, rows_expected), faults = $8::jsonb, failures = 0, failure = null
   where workspace_id = $1 and number = $2`;

async function compareNew(tx: Queryable, workspaceId: number): Promise<ComparedPiece> {
  const checkpoint = await readCheckpoint(tx, workspaceId);
  if (checkpoint && !(await isReadable(tx, checkpoint.content)))
    return {
      faults: [aboutCheckpoint(workspaceId, unreadableCheckpoint)],
      rows: 0,
      next: { stage: 'store', after: null, carried: {} },
    };
  const content = await readContent(tx, workspaceId, sealedRecords);
  const found = checkpoint
    ? [
        ...(await checkpointProblems(tx, workspaceId, checkpoint.content)),
        ...(await verifySince(tx, workspaceId, checkpoint.content)),
      ]
    : [];
  // Its own seal is the only one since, unless something has changed.
  const hasNews = checkpoint !== null && sealsOf(content) > sealsOf(checkpoint.content) + 1;
  const next: Progress = { stage: 'store', after: null, carried: hasNews ? { content } : {} };
  return { faults: found, rows: 0, next };
}

function sealsOf(content: string): number {
  return (JSON.parse(content) as { seals: number }).seals;
}

function merged(earlier: readonly LedgerFault[], later: readonly LedgerFault[]): LedgerFault[] {
  const all = new Map(
    [...earlier, ...later].map((fault) => [`${fault.budgetId} ${fault.number} ${fault.problem}`, fault]),
  );
  return [...all.values()].slice(0, mostFindings);
}

/**
 * Ends a verification. If nothing but the checkpoint was wrong, a new one takes its place: what was changed with SQL is noted in the outcome, and
 * everything else was compared without it. A daily one leaves none while a full one has problems: what it did not read is not verified.
 */
async function store(tx: Queryable, run: Run): Promise<VerificationStep | null> {
  const { workspaceId, number, kind, faults, carried } = run;
  await lockWorkspace(tx, workspaceId);
  if (!(await claim(tx, run))) return null;
  const agrees = faults.every(({ problem }) => kind === 'FULL' && problem.startsWith('The checkpoint '));
  const mayStore = agrees && (kind === 'FULL' || !(await hasFullProblems(tx, workspaceId)));
  if (mayStore && carried.content !== undefined && carried.at !== undefined) {
    const { startedAt } = await queryOne<{ startedAt: string }>(
      tx,
      'select started_at::text as "startedAt" from verifications where workspace_id = $1 and number = $2',
      [workspaceId, number],
    );
    const fullAt = kind === 'FULL' ? startedAt : null;
    await storeCheckpoint(tx, workspaceId, { at: carried.at, fullAt, content: carried.content });
  }
  await tx.query(
    `update verifications
        set finished_at = now(), subject = null, after_key = null, carried = '{}', failures = 0, failure = null
      where workspace_id = $1 and number = $2`,
    [workspaceId, number],
  );
  return { workspaceId, kind, faults };
}

/** Notes the code alone: a message may name a person. The first failure is tried again at once, further ones after a pause that doubles. */
async function noteFailure(database: Queryable, { workspaceId, number }: Run, error: unknown): Promise<void> {
  await database.query(
    `update verifications
        set failures = failures + 1, failure = $3,
            carried = carried || jsonb_build_object('retryAt', now() + interval '1 second' * (power(2, least(failures, 9)) - 1))
      where workspace_id = $1 and number = $2 and finished_at is null`,
    [workspaceId, number, codeOf(error)],
  );
}

/** The code of PostgreSQL. An error about its condition is the cause of one that callers see. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return String(cause?.code ?? code ?? 'unknown');
}

/**
 * Requests a full verification of a workspace, unless one waits that has not begun: one under way may have compared rows before they were changed.
 * Returns its number.
 */
export async function requestVerification(on: Queryable, workspaceId: number): Promise<number> {
  for (;;) {
    const run = await queryOptional<{ number: number }>(on, requestSql, [workspaceId]);
    // None: another request has taken the number meanwhile.
    if (run) return run.number;
  }
}

/** Requests a full verification of every workspace with sealed records. Returns what was requested. */
export async function requestAll(on: Queryable): Promise<{ workspaceId: number; number: number }[]> {
  const workspaces = await on.query<{ id: number }>(
    'select id from workspaces w where exists (select from seals s where s.workspace_id = w.id) order by id',
  );
  const requested: { workspaceId: number; number: number }[] = [];
  for (const { id } of workspaces) requested.push({ workspaceId: id, number: await requestVerification(on, id) });
  return requested;
}

const nextNumber = `greatest(coalesce(v.latest, 0), ${historyBase}) + 1`;

const requestSql = `
  with waiting as (
    select max(number) as number
      from verifications
     where workspace_id = $1 and kind = 'FULL' and started_at is null and finished_at is null
  ),
  requested as (
    insert into verifications (workspace_id, number, kind, requested_at)
    select $1, ${nextNumber}, 'FULL', now()
      from (select max(number) as latest from verifications where workspace_id = $1) v
     where (select number from waiting) is null
        on conflict do nothing
    returning number
  )
  select number from requested
   union all
  select number from waiting where number is not null`;

/**
 * Plans what is due: a full verification of each workspace with money every week, and one of what is new every day after the first full one. The
 * first comes within a day. Workspaces differ by up to 23 hours.
 */
export async function planVerifications(database: Queryable): Promise<void> {
  await database.query(planDueSql);
  await database.query(`delete from verifications where finished_at < now() - interval '400 days'`);
}

const planDueSql = `
  insert into verifications (workspace_id, number, kind, requested_at)
  select id, number, case when is_full_due then 'FULL' else 'DAILY' end, now()
    from (select w.id, ${nextNumber} as number, v.latest_at,
                 coalesce(v.full_at + interval '6 days', w.created_at) + interval '1 minute' * (60 + w.id * 7919 % 1380) < now() as is_full_due
            from workspaces w
           cross join lateral (select max(number) as latest, max(started_at) as latest_at, max(started_at) filter (where kind = 'FULL') as full_at,
                                      coalesce(bool_or(finished_at is null), false) as is_open
                                 from verifications
                                where workspace_id = w.id) v
           where not v.is_open
             and exists (select from seals s where s.workspace_id = w.id)) due
   where is_full_due
      or latest_at < now() - interval '1 day' and exists (select from ledger_checkpoints c where c.workspace_id = due.id)
      on conflict do nothing`;
