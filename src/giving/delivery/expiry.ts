import { inEachWorkspace } from '../../company/workspaces/each.ts';
import { inWorkspace, momentOf, timeOf } from '../../company/workspaces/lock.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { readGiftsById } from '../gifts/gift.ts';
import { type Move, moveGifts } from '../gifts/moves.ts';
import { inFlightSql } from './send/claim.ts';

/** The number of gifts of a workspace that expire in one transaction. */
const batchSize = 500;

/**
 * Writes down that gifts have expired, in every workspace. They count as expired from that moment on, also before. A gift whose mail
 * is being handed over waits for the next round. Returns how many there were.
 */
export async function expireGifts(database: Database): Promise<number> {
  let expired = 0;
  await inEachWorkspace(await database.query<{ workspaceId: number }>(workspacesSql), async ({ workspaceId }) => {
    let some: number;
    do {
      some = await inWorkspace(database, workspaceId, (tx) => expireSome(tx, workspaceId));
      expired += some;
    } while (some === batchSize);
  });
  return expired;
}

async function expireSome(tx: Queryable, workspaceId: number): Promise<number> {
  const found = await tx.query<{ id: number }>(expiredSql, [workspaceId, momentOf(tx, workspaceId), batchSize]);
  const gifts = await readGiftsById(
    tx,
    workspaceId,
    found.map(({ id }) => id),
  );
  const moves = gifts.map((gift): Move => ({ type: 'EXPIRED', gift }));
  return (await moveGifts(tx, workspaceId, moves)).length;
}

/** Gifts that have expired and are not written down as such. `a` is an alias of activity_counters, `c` of certificates. */
const isExpired = `c.workspace_id = a.workspace_id and c.state = 'ISSUED' and c.expires_at is not null`;

const workspacesSql = `
  select a.workspace_id as "workspaceId"
    from activity_counters a
   where exists (select from certificates c where ${isExpired} and c.expires_at <= ${timeOf('a')})`;

const expiredSql = `
  with flying as (${inFlightSql}
  )
  select c.id
    from activity_counters a
    join certificates c on ${isExpired}
   where a.workspace_id = $1
     and c.expires_at <= $2::timestamptz
     and not exists (select from flying where c.id = any(flying.in_flight))
   order by c.expires_at
   limit $3`;
