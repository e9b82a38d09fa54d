import { isSurvivor } from '../../company/directory/who.ts';
import { theService } from '../../company/workspaces/audit.ts';
import { lockWorkspace } from '../../company/workspaces/lock.ts';
import { type Database, type Queryable, queryOptional } from '../../ground/database/database.ts';
import { cannotYet, endErasure, noteBegun } from './erasures.ts';
import { listObstacles } from './obstacles.ts';
import { erasePerson } from './person.ts';
import { firstStep, runStep, type Work } from './steps.ts';

/** People of one workspace whose texts are looked through together: a text is read once for all of them. */
const mostPeople = 1_000;

interface Run {
  workspaceId: number;
  members: number[];
  step: string;
  after: string | null;
}

/**
 * Does the next batch of the erasure of people: the record of one person, or a part of what is left of people whose records are erased. A batch and
 * the note of how far it has come are one transaction: nodes share the work, and a crash repeats nothing. False: nothing is due.
 */
export async function runErasure(database: Database): Promise<boolean> {
  return (await continueRun(database)) || (await beginPerson(database));
}

/** Erases the record of the next person who is due. What has come since it was asked for, for example a gift, stops it: the audit log says why. */
function beginPerson(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    const due = await queryOptional<{ workspaceId: number; id: number }>(
      tx,
      `select workspace_id as "workspaceId", member_id as id
         from erasures e
        where ${isDue}
        order by due_at
        limit 1`,
    );
    if (!due) return gather(tx);
    const { workspaceId, id } = due;
    await lockWorkspace(tx, workspaceId);
    // Another node may have begun it, and a person may have stopped it.
    const isStillDue = `select from erasures e where workspace_id = $1 and member_id = $2 and ${isDue}`;
    if ((await tx.query(isStillDue, [workspaceId, id])).length === 0) return true;
    const reason = await reasonToStop(tx, workspaceId, id);
    if (reason !== null) {
      await endErasure(tx, theService, workspaceId, id, reason);
      return true;
    }
    await noteBegun(tx, theService, workspaceId, id, await erasePerson(tx, workspaceId, id));
    return true;
  });
}

const isDue = `e.state = 'WAITING' and e.due_at <= now()`;

/** A node of the release before merges records of people whose erasure waits. The erasure of the other record was not asked for. */
async function reasonToStop(tx: Queryable, workspaceId: number, id: number): Promise<string | null> {
  const kept = await tx.query(`select from members m where m.workspace_id = $1 and m.id = $2 and ${isSurvivor('m')}`, [
    workspaceId,
    id,
  ]);
  if (kept.length === 0) return 'The record was merged into another one since. Ask for the erasure of that one.';
  const [first] = await listObstacles(tx, workspaceId, id);
  return first ? cannotYet(first) : null;
}

/** Begins a run for the people of a workspace whose records are erased. */
async function gather(tx: Queryable): Promise<boolean> {
  const begun = await tx.query(
    `insert into erasure_runs (workspace_id, members, step)
     select workspace_id, (array_agg(member_id order by member_id))[1:${mostPeople}], $1
       from erasures e
      where state = 'RUNNING'
        and not exists (select from erasure_runs r where r.workspace_id = e.workspace_id)
      group by workspace_id
      limit 1
         on conflict (workspace_id) do nothing
     returning workspace_id`,
    [firstStep],
  );
  return begun.length > 0;
}

function continueRun(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    const run = await queryOptional<Run>(
      tx,
      `select workspace_id as "workspaceId", members, step, after_key as after
         from erasure_runs
        limit 1
          for update skip locked`,
    );
    if (!run) return false;
    const { workspaceId, members, step, after } = run;
    const next = await runStep(tx, await readWork(tx, run), step, after);
    if (next)
      await tx.query('update erasure_runs set step = $2, after_key = $3 where workspace_id = $1', [
        workspaceId,
        next.step,
        next.after,
      ]);
    else {
      await tx.query('delete from erasure_runs where workspace_id = $1', [workspaceId]);
      await tx.query(
        `update erasures set state = 'DONE', traces = null, done_at = now() where workspace_id = $1 and member_id = any($2::bigint[])`,
        [workspaceId, members],
      );
    }
    return true;
  });
}

async function readWork(tx: Queryable, { workspaceId, members }: Run): Promise<Work> {
  const rows = await tx.query<{ traces: { records: number[]; accounts: number[]; texts: string[]; values: string[] } }>(
    'select traces from erasures where workspace_id = $1 and member_id = any($2::bigint[]) and traces is not null',
    [workspaceId, members],
  );
  const all = rows.map(({ traces }) => traces);
  return {
    workspaceId,
    records: all.flatMap(({ records }) => records),
    accounts: all.flatMap(({ accounts }) => accounts),
    traces: { texts: all.flatMap(({ texts }) => texts), values: all.flatMap(({ values }) => values) },
  };
}
