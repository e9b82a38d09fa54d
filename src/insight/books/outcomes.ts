import type { LedgerVerificationRun } from '../../ground/contract/ledger.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { isoTime } from './checkpoint.ts';
import type { LedgerFault } from './checks.ts';

const mostListed = 20;

type Run = Omit<LedgerVerificationRun, 'agrees' | 'faults'> & { faults: LedgerFault[] };

/** The latest verifications of a workspace that run in the background, the newest first. */
export async function listVerifications(
  on: Queryable,
  workspaceId: number,
  number: number | null = null,
): Promise<LedgerVerificationRun[]> {
  const runs = await on.query<Run>(listSql, [workspaceId, number]);
  return runs.map(({ faults, ...run }) => ({
    ...run,
    agrees: run.status === 'FINISHED' ? faults.length === 0 : null,
    faults: faults.map(({ budgetId, number, problem }) => ({ budgetId, number, problem })),
  }));
}

const listSql = `
  select number, kind, case when finished_at is not null then 'FINISHED' when started_at is not null then 'RUNNING' else 'WAITING' end as status,
         ${isoTime('requested_at')} as "requestedAt", ${isoTime('started_at')} as "startedAt", ${isoTime('finished_at')} as "finishedAt",
         rows_done as "rowsDone", greatest(rows_done, rows_expected) as "rowsExpected", faults
    from verifications
   where workspace_id = $1
     and ($2::bigint is null or number = $2)
   order by number desc
   limit ${mostListed}`;

/** After this many failures in a row, a command no longer waits for a verification. Workers go on trying. */
const mostFailures = 3;

/** How far some verifications have come together, what they have found, and which have failed. */
export function readRequested(
  on: Queryable,
  requested: readonly { workspaceId: number; number: number }[],
): Promise<{
  isFinished: boolean;
  rowsDone: number;
  rowsExpected: number;
  faults: LedgerFault[];
  failed: { workspaceId: number; failure: string }[];
}> {
  return queryOne(
    on,
    `select coalesce(bool_and(finished_at is not null or failures >= ${mostFailures}), true) as "isFinished", coalesce(sum(rows_done), 0)::float8 as "rowsDone",
            coalesce(sum(greatest(rows_done, rows_expected)), 0)::float8 as "rowsExpected",
            coalesce(jsonb_path_query_array(jsonb_agg(faults), '$[*][*]'), '[]') as faults,
            coalesce(json_agg(json_build_object('workspaceId', workspace_id, 'failure', failure) order by workspace_id)
                       filter (where finished_at is null and failures >= ${mostFailures}), '[]') as failed
       from verifications
       join unnest($1::bigint[], $2::bigint[]) as asked (workspace_id, number) using (workspace_id, number)`,
    [requested.map(({ workspaceId }) => workspaceId), requested.map(({ number }) => number)],
  );
}

/**
 * The outcomes that hold for the workspace `w`, as `v`: the latest full verification that has ended, and the latest daily one, unless a full one
 * began after it. A daily one reads what is new, so it cannot say that an older problem is gone.
 */
const latestFull = `
  lateral (select * from verifications
            where workspace_id = w.id and kind = 'FULL' and finished_at is not null
            order by number desc
            limit 1)`;

const holdingSql = `
  select v.*
    from workspaces w
    left join ${latestFull} f on true
   cross join lateral (select f.*
                        union all
                       (select * from (select * from verifications
                                        where workspace_id = w.id and kind = 'DAILY' and finished_at is not null
                                        order by number desc
                                        limit 1) d
                         where f.started_at is null or d.finished_at > f.started_at)) v
   where jsonb_array_length(v.faults) > 0`;

/** How many problems a workspace has: those that its latest verifications have found. */
export async function countProblems(on: Queryable, workspaceId: number): Promise<number> {
  const { problems } = await queryOne<{ problems: number }>(
    on,
    `select count(distinct fault)::int as problems from (${holdingSql} and w.id = $1) holding cross join jsonb_array_elements(faults) as fault`,
    [workspaceId],
  );
  return problems;
}

/**
 * What the latest full verification of a workspace that has ended found, without what `found` has already. Only another full one can say that it
 * was repaired. A checkpoint that was changed is not in it: the verification since it has found that.
 */
export async function readFullProblems(
  on: Queryable,
  workspaceId: number,
  found: readonly LedgerFault[],
): Promise<LedgerFault[]> {
  const rows = await on.query<LedgerFault & { at: string }>(
    `select fault.*, to_char(f.started_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at
       from (select $1::bigint as id) w
      cross join ${latestFull} f
      cross join jsonb_to_recordset(f.faults) as fault ("workspaceId" bigint, "budgetId" bigint, number bigint, problem text)
      where not starts_with(fault.problem, 'The checkpoint ')`,
    [workspaceId],
  );
  return rows
    .filter((one) => !found.some((other) => isSame(one, other)))
    .map(({ at, problem, ...fault }) => ({
      ...fault,
      problem: `${problem} The full verification of ${at} UTC found it; another one says whether it was repaired.`,
    }));
}

function isSame(one: LedgerFault, other: LedgerFault): boolean {
  return one.budgetId === other.budgetId && one.number === other.number && one.problem === other.problem;
}

/** Whether the latest full verification of a workspace that has ended found problems. */
export async function hasFullProblems(on: Queryable, workspaceId: number): Promise<boolean> {
  const rows = await on.query(
    `select 1 from (select $1::bigint as id) w cross join ${latestFull} f where jsonb_array_length(f.faults) > 0`,
    [workspaceId],
  );
  return rows.length > 0;
}

export interface VerificationState {
  workspaceId: number;
  kind: 'FULL' | 'DAILY';
  isFinished: boolean;
  finishedAt: string | null;
  problems: number;
  rowsDone: number;
  rowsExpected: number;
  failures: number;
  failure: string | null;
}

/** What operators look at: the verifications under way, and the latest outcomes with problems. */
export function readVerificationStates(on: Queryable): Promise<VerificationState[]> {
  return on.query<VerificationState>(
    `${stateSql} from (${holdingSql}) holding
      union all
     ${stateSql} from verifications where finished_at is null
      order by "workspaceId", "isFinished"
      limit 100`,
  );
}

const stateSql = `
  select workspace_id as "workspaceId", kind, finished_at is not null as "isFinished", ${isoTime('finished_at')} as "finishedAt",
         jsonb_array_length(faults) as problems, rows_done as "rowsDone", greatest(rows_done, rows_expected) as "rowsExpected", failures, failure`;

/** For the metrics. */
export function summarizeVerifications(on: Queryable): Promise<{
  withProblems: number;
  rowsDone: number;
  rowsExpected: number;
  failures: number;
  oldestFullSeconds: number;
}> {
  return queryOne(
    on,
    `select (select count(distinct workspace_id) from (${holdingSql}) holding) as "withProblems",
            coalesce(sum(rows_done), 0)::float8 as "rowsDone",
            coalesce(sum(greatest(rows_done, rows_expected)), 0)::float8 as "rowsExpected",
            coalesce(sum(failures), 0)::float8 as failures,
            coalesce((select extract(epoch from now() - min(full_at)) from ledger_checkpoints), 0)::float8 as "oldestFullSeconds"
       from verifications
      where finished_at is null`,
  );
}
