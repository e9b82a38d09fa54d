import { audit } from '../../../company/workspaces/audit.ts';
import { inEachWorkspace } from '../../../company/workspaces/each.ts';
import { inWorkspace, momentOf } from '../../../company/workspaces/lock.ts';
import type { Actor } from '../../../ground/contract/actor.ts';
import type { BulkAction, bulkOutcomes, RepairReason } from '../../../ground/contract/bulk-action.ts';
import type { GiftRecord } from '../../../ground/contract/gift.ts';
import { type Queryable, queryOptional } from '../../../ground/database/database.ts';
import { Failure, isUnavailable } from '../../../ground/errors.ts';
import { readGiftsById } from '../../gifts/gift.ts';
import { type Repair, stateRefusal } from '../../gifts/repairs.ts';
import { readGiftRecords } from '../gift-list/records.ts';
import { cancelling, extending, type RepairOptions, type RepairWork, resending } from '../repairs.ts';
import { inFlightSql } from '../send/claim.ts';
import { readBulkAction } from './read.ts';
import { searchGifts } from './search.ts';

export type BulkOptions = Omit<RepairOptions, 'actor'>;

/** How many gifts are repaired in one transaction. Other writers of the workspace wait for it. */
const batchSize = 20;

/** A workspace gives way to the next one after this time, and the process can stop. */
const turnMs = 1_000;

/**
 * Carries out the bulk actions of every workspace, for a while. What was done is stored with the gifts that it was done to, so that a worker
 * continues where another one was killed. Returns the number of gifts.
 */
export async function runBulkActions(options: BulkOptions): Promise<number> {
  let done = 0;
  const workspaces = await options.database.query<{ workspaceId: number }>(workspacesSql);
  await inEachWorkspace(workspaces, async ({ workspaceId }) => {
    const until = performance.now() + turnMs;
    for (let some: number | null = 0; some !== null && performance.now() < until; ) {
      some = await advance(options, workspaceId);
      done += some ?? 0;
    }
  });
  return done;
}

interface Open extends Pick<BulkAction, 'id' | 'action' | 'expiresOn'> {
  isFound: boolean;
  actor: Actor;
}

/** One step of the oldest action that is not finished. Returns the number of gifts that are done, or null if there is nothing to do now. */
async function advance(options: BulkOptions, workspaceId: number): Promise<number | null> {
  const { database } = options;
  const open = await queryOptional<Open>(database, openSql, [workspaceId]);
  if (!open) return null;
  if (!open.isFound) {
    await inWorkspace(database, workspaceId, (tx) => searchGifts(tx, workspaceId, open.id));
    return 0;
  }
  const waiting = await inWorkspace(database, workspaceId, (tx) => readWaiting(tx, workspaceId, open.id));
  if (waiting.length > 0) return repairSome(options, workspaceId, open, waiting);
  await inWorkspace(database, workspaceId, (tx) => finish(tx, workspaceId, open));
  return null;
}

/** Repairs gifts in one transaction. If one is rejected in the middle of it, each gets its own. */
async function repairSome(
  options: BulkOptions,
  workspaceId: number,
  open: Open,
  ids: readonly number[],
): Promise<number> {
  try {
    return await inWorkspace(options.database, workspaceId, (tx) => repairIn(tx, options, workspaceId, open, ids));
  } catch (error) {
    if (!(error instanceof Failure) || isUnavailable(error)) throw error;
    if (ids.length === 1) return reject(options, workspaceId, open, ids[0] as number, error);
    let done = 0;
    for (const id of ids) done += await repairSome(options, workspaceId, open, [id]);
    return done;
  }
}

type Outcome = (typeof bulkOutcomes)[number];

/** The audit log has one entry for the whole action. The log of each gift and its events name the actor. */
async function repairIn(
  tx: Queryable,
  options: BulkOptions,
  workspaceId: number,
  open: Open,
  asked: readonly number[],
): Promise<number> {
  const ids = await readWaiting(tx, workspaceId, open.id, asked);
  const work = workOf({ ...options, actor: open.actor }, open);
  const records = new Map((await readGiftRecords(tx, workspaceId, ids)).map((record) => [record.id, record]));
  const outcomes: [id: number, Outcome, RepairReason | null][] = [];
  for (const gift of await readGiftsById(tx, workspaceId, ids)) {
    const reason = stateRefusal(repairOf[open.action], gift);
    const action = reason === null ? await work(tx, gift, records.get(gift.id) as GiftRecord) : null;
    outcomes.push([gift.id, reason !== null ? 'REJECTED' : action !== null ? 'CHANGED' : 'UNCHANGED', reason]);
  }
  await write(tx, workspaceId, open.id, outcomes);
  return outcomes.length;
}

const repairOf = { CANCEL: 'cancel', RESEND: 'resend', EXTEND: 'extend' } as const satisfies Record<string, Repair>;

function workOf(options: RepairOptions, { action, expiresOn }: Open): RepairWork {
  if (action === 'CANCEL') return cancelling(options);
  return action === 'RESEND' ? resending(options) : extending(options, expiresOn);
}

/** A gift that may be repaired in some seconds keeps waiting. */
async function reject(
  { database }: BulkOptions,
  workspaceId: number,
  open: Open,
  id: number,
  failure: Failure,
): Promise<number> {
  if (failure.headers['Retry-After'] !== undefined) return 0;
  const reason = failure.kind === 'overBudget' ? 'OVER_BUDGET' : ((failure.reason as RepairReason | null) ?? 'OTHER');
  await inWorkspace(database, workspaceId, (tx) => write(tx, workspaceId, open.id, [[id, 'REJECTED', reason]]));
  return 1;
}

async function write(
  tx: Queryable,
  workspaceId: number,
  actionId: number,
  outcomes: readonly [id: number, Outcome, RepairReason | null][],
): Promise<void> {
  await tx.query(writeSql, [
    workspaceId,
    actionId,
    outcomes.map(([id]) => id),
    outcomes.map(([, outcome]) => outcome),
    outcomes.map(([, , reason]) => reason),
  ]);
}

async function readWaiting(
  tx: Queryable,
  workspaceId: number,
  actionId: number,
  among: readonly number[] | null = null,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(waitingSql, [workspaceId, actionId, among, batchSize]);
  return rows.map(({ id }) => id);
}

/** Gifts whose email is being sent at this moment are still waiting then, and the action is not finished. */
async function finish(tx: Queryable, workspaceId: number, { id, actor }: Open): Promise<void> {
  const finished = await tx.query(finishSql, [workspaceId, id, momentOf(tx, workspaceId)]);
  if (finished.length === 0) return;
  const { action, changed, unchanged, rejected } = await readBulkAction(tx, workspaceId, id);
  const detail = { bulkAction: action, changed, unchanged, rejected };
  await audit(tx, { workspaceId, actor, action: 'bulk_action.completed', subject: { id, name: null }, detail });
}

const workspacesSql = `
  select a.workspace_id as "workspaceId"
    from activity_counters a
   where exists (select from bulk_actions b where b.workspace_id = a.workspace_id and b.finished_at is null)`;

const openSql = `
  select id, action, expires_on::text as "expiresOn", found_at is not null as "isFound",
         jsonb_build_object('is', actor, 'id', actor_id, 'name', actor_name) as actor
    from bulk_actions
   where workspace_id = $1
     and finished_at is null
   order by id
   limit 1`;

const waitingSql = `
  with flying as (${inFlightSql}
  )
  select gift_id as id
    from bulk_action_gifts
   where workspace_id = $1
     and action_id = $2
     and outcome is null
     and ($3::bigint[] is null or gift_id = any($3::bigint[]))
     and not exists (select from flying where gift_id = any(flying.in_flight))
   order by gift_id
   limit $4`;

const writeSql = `
  update bulk_action_gifts g
     set outcome = written.outcome, reason = written.reason
    from unnest($3::bigint[], $4::text[], $5::text[]) as written (gift_id, outcome, reason)
   where g.workspace_id = $1
     and g.action_id = $2
     and g.gift_id = written.gift_id
     and g.outcome is null`;

const finishSql = `
  update bulk_actions b
     set finished_at = $3::timestamptz
   where b.workspace_id = $1
     and b.id = $2
     and b.finished_at is null
     and not exists (select from bulk_action_gifts g
                      where g.workspace_id = b.workspace_id
                        and g.action_id = b.id
                        and g.outcome is null)
  returning b.id`;
