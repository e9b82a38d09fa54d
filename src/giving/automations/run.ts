import { inWorkspace, timeOf } from '../../company/workspaces/lock.ts';
import { type Database, type Queryable, queryOptional } from '../../ground/database/database.ts';
import { claimDue } from './claim.ts';
import type { Engine } from './engine.ts';
import { lookIn } from './look.ts';
import { sendBatch } from './send.ts';

/**
 * Lets the automations of all workspaces do what is due. Workspaces take turns, so that none waits for the whole day's work of another. If one fails, the
 * others go on; the first error is thrown at the end. Returns how many workspaces had something to do.
 */
export async function runAutomations(engine: Engine, stopping?: AbortSignal): Promise<number> {
  const due = await engine.database.query<{ workspaceId: number }>(dueSql);
  let turns = due.map(({ workspaceId }) => workIn(engine, workspaceId));
  const errors: unknown[] = [];
  while (turns.length > 0 && !stopping?.aborted) {
    const left: typeof turns = [];
    for (const turn of turns) {
      if (stopping?.aborted) break;
      await turn.next().then(
        ({ done }) => !done && left.push(turn),
        (error) => errors.push(error),
      );
    }
    turns = left;
  }
  if (errors.length > 0) throw errors[0];
  return due.length;
}

// By the partial indexes of what is due and of what is on its way: both are nearly empty most of the time.
const dueSql = `
  select t.workspace_id as "workspaceId"
    from automation_turns t
    join activity_counters c using (workspace_id)
   where not t.is_paused and t.look_at <= ${timeOf('c')}
   union
  select o.workspace_id
    from occurrences o
    join automations a      on a.workspace_id = o.workspace_id and a.id = o.automation_id
    join automation_turns t on t.workspace_id = o.workspace_id
   where o.state = 'DUE'
     and (o.is_by_hand or a.state = 'ON' and a.deleted_at is null and not t.is_paused)
   union
  select workspace_id from automation_batches`;

/** Looks if it is time to, then sends what is due. Every step is one that may be the last before a kill. */
async function* workIn(engine: Engine, workspaceId: number): AsyncGenerator<void> {
  const lease = await takeLook(engine.database, workspaceId);
  if (lease !== null) {
    yield* lookIn(engine, workspaceId);
    await planLook(engine.database, workspaceId, lease);
  }
  yield* sendIn(engine, workspaceId);
}

/** The same for one workspace, whether or not it is time to look. */
export async function runWorkspace(engine: Engine, workspaceId: number): Promise<void> {
  for await (const _ of lookIn(engine, workspaceId));
  for await (const _ of sendIn(engine, workspaceId));
}

/** Batches that another worker has are left to it. */
async function* sendIn(engine: Engine, workspaceId: number): AsyncGenerator<void> {
  const { database } = engine;
  const seen = new Set<string>();
  for (;;) {
    const [next] = await database.query<{ id: string }>(nextSql, [workspaceId, [...seen]]);
    if (next) {
      seen.add(next.id);
      await sendBatch(engine, workspaceId, next.id);
    } else {
      const claimed = await inWorkspace(database, workspaceId, (tx, moment) =>
        claimDue(tx, engine, workspaceId, moment),
      );
      if (claimed === 0) return;
    }
    yield;
  }
}

/** The earliest occurrence decides, so that the money of a budget goes to the earlier ones first. */
const nextSql = `
  select b.id
    from automation_batches b
    join occurrences o on o.workspace_id = b.workspace_id and o.batch = b.id and o.state = 'SENDING'
   where b.workspace_id = $1
     and b.id <> all($2::uuid[])
   group by b.id
   order by min(o.due_at), min(o.id)
   limit 1`;

/** Another worker looks after this time if the one that has begun was killed. Both may look at the same time: rows are written once. */
const leaseFor = `interval '1 minute'`;

/** Takes the look of a workspace if it is due. Returns until when it is taken. */
async function takeLook(on: Queryable, workspaceId: number): Promise<string | null> {
  const taken = await queryOptional<{ lease: string }>(
    on,
    `update automation_turns t
        set look_at = c.now + ${leaseFor}
       from (select workspace_id, ${timeOf('c')} as now from activity_counters c where workspace_id = $1) c
      where t.workspace_id = $1
        and not t.is_paused
        and t.look_at <= c.now
     returning t.look_at::text as lease`,
    [workspaceId],
  );
  return taken?.lease ?? null;
}

/** Hours begin at a quarter in every time zone. A change meanwhile has asked for another look at once. */
async function planLook(database: Database, workspaceId: number, lease: string): Promise<void> {
  await database.query(
    `update automation_turns
        set look_at = date_bin('15 minutes', $2::timestamptz - ${leaseFor}, 'epoch') + interval '15 minutes'
      where workspace_id = $1
        and look_at = $2::timestamptz`,
    [workspaceId, lease],
  );
}
