import type { Actor } from '../../../ground/contract/actor.ts';
import type {
  BulkAction,
  BulkActionPage,
  BulkActionQuery,
  BulkGift,
  BulkGiftPage,
  BulkGiftQuery,
} from '../../../ground/contract/bulk-action.ts';
import { type Queryable, queryOne } from '../../../ground/database/database.ts';
import { Failure } from '../../../ground/errors.ts';
import { pageFields } from '../../../ground/values/page.ts';

export async function readBulkAction(on: Queryable, workspaceId: number, id: number): Promise<BulkAction> {
  const [row] = await on.query<Row>(`${rowsSql} and b.id = $2`, [workspaceId, id]);
  if (!row) throw new Failure('missing', 'There is no bulk action with this id in this workspace.');
  return recordOf(row);
}

/** A page of bulk actions, the newest first. */
export async function listBulkActions(
  on: Queryable,
  workspaceId: number,
  { page, size }: BulkActionQuery,
): Promise<BulkActionPage> {
  const { total } = await queryOne<{ total: number }>(
    on,
    'select count(*) as total from bulk_actions where workspace_id = $1',
    [workspaceId],
  );
  const rows = await on.query<Row>(`${rowsSql} order by b.id desc offset $2::bigint limit $3::bigint`, [
    workspaceId,
    page * size,
    size,
  ]);
  return { ...pageFields({ page, size }, total), bulkActions: rows.map(recordOf) };
}

/** A page of the gifts of a bulk action, with what came of each. */
export async function listBulkGifts(
  on: Queryable,
  workspaceId: number,
  id: number,
  { outcome, page, size }: BulkGiftQuery,
): Promise<BulkGiftPage> {
  const { total, changed, unchanged, rejected } = await readBulkAction(on, workspaceId, id);
  const counts = { CHANGED: changed, UNCHANGED: unchanged, REJECTED: rejected };
  const gifts = await on.query<BulkGift>(
    `select gift_id as "giftId", outcome, reason
       from bulk_action_gifts
      where workspace_id = $1
        and action_id = $2
        and ($3::text is null or outcome = $3)
      order by gift_id
     offset $4::bigint
      limit $5::bigint`,
    [workspaceId, id, outcome ?? null, page * size, size],
  );
  return { ...pageFields({ page, size }, outcome ? counts[outcome] : total), gifts };
}

type Counts = Pick<BulkAction, 'total' | 'changed' | 'unchanged' | 'rejected' | 'reasons'>;

interface Row extends Pick<BulkAction, 'id' | 'action' | 'gifts' | 'expiresOn'>, Counts {
  actor: Actor['is'];
  actorId: number | null;
  actorName: string | null;
  createdAt: Date;
  isFound: boolean;
  finishedAt: Date | null;
}

function recordOf({ actor, actorId, actorName, createdAt, isFound, finishedAt, ...row }: Row): BulkAction {
  return {
    ...row,
    status: finishedAt ? 'COMPLETED' : isFound ? 'RUNNING' : 'SEARCHING',
    done: row.changed + row.unchanged + row.rejected,
    by: { is: actor, id: actorId, name: actorName },
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

const rowsSql = `
  select b.id, b.action, b.filter as gifts, b.expires_on::text as "expiresOn",
         b.actor, b.actor_id as "actorId", b.actor_name as "actorName",
         b.created_at as "createdAt", b.found_at is not null as "isFound", b.finished_at as "finishedAt",
         counted.total, counted.changed, counted.unchanged, counted.rejected, counted.reasons
    from bulk_actions b
   cross join lateral (
           select coalesce(sum(gifts), 0)::bigint as total,
                  coalesce(sum(gifts) filter (where outcome = 'CHANGED'), 0)::bigint as changed,
                  coalesce(sum(gifts) filter (where outcome = 'UNCHANGED'), 0)::bigint as unchanged,
                  coalesce(sum(gifts) filter (where outcome = 'REJECTED'), 0)::bigint as rejected,
                  coalesce(jsonb_agg(jsonb_build_object('reason', reason, 'gifts', gifts) order by gifts desc, reason)
                             filter (where reason is not null), '[]') as reasons
             from (select outcome, reason, count(*) as gifts
                     from bulk_action_gifts
                    where workspace_id = $1
                      and action_id = b.id
                    group by outcome, reason) grouped) counted
   where b.workspace_id = $1`;
