import { audit } from '../../../company/workspaces/audit.ts';
import { inWorkspace } from '../../../company/workspaces/lock.ts';
import type { Actor } from '../../../ground/contract/actor.ts';
import type { BulkAction, NewBulkAction } from '../../../ground/contract/bulk-action.ts';
import { type Database, type Queryable, queryOne, queryOptional } from '../../../ground/database/database.ts';
import { slowHistoryBase } from '../../../ground/database/history.ts';
import { Failure, invalid } from '../../../ground/errors.ts';
import { mismatch } from '../../../ground/values/differences.ts';
import { readEnd } from '../../gifts/repairs.ts';
import { readBulkAction } from './read.ts';

/**
 * Stores a change of many gifts. A worker carries it out: for the gifts that there are now, and fit when the worker searches for them. With the key of
 * an earlier one nothing happens.
 */
export function createBulkAction(
  database: Database,
  actor: Actor,
  workspaceId: number,
  asked: NewBulkAction,
  key: string | null = null,
): Promise<{ bulkAction: BulkAction; replayed: boolean }> {
  checkFields(asked);
  return inWorkspace(database, workspaceId, async (tx, moment) => {
    const earlier = key === null ? null : await findEarlier(tx, workspaceId, key);
    if (earlier !== null) return { bulkAction: await replay(tx, workspaceId, earlier, asked), replayed: true };
    const { action, gifts, expiresOn = null } = asked;
    if (gifts.requestId !== undefined) await checkOrder(tx, workspaceId, gifts.requestId);
    if (expiresOn !== null) await readEnd(tx, workspaceId, expiresOn);
    const { id } = await queryOne<{ id: number }>(tx, createSql, [
      workspaceId,
      action,
      JSON.stringify(gifts),
      expiresOn,
      actor.is,
      actor.id,
      actor.name,
      key,
      moment,
    ]);
    const detail = { bulkAction: action, gifts, ...(action === 'EXTEND' && { expiresOn }) };
    await audit(tx, { workspaceId, actor, action: 'bulk_action.created', subject: { id, name: null }, detail });
    return { bulkAction: await readBulkAction(tx, workspaceId, id), replayed: false };
  });
}

function checkFields({ action, gifts, expiresOn }: NewBulkAction): void {
  const given = Object.values(gifts).filter((value) => value !== undefined);
  const faults = [
    action === 'EXTEND' &&
      expiresOn === undefined && {
        path: 'expiresOn',
        problem: 'is required for EXTEND: a date, or null for no expiry date',
      },
    action !== 'EXTEND' && expiresOn !== undefined && { path: 'expiresOn', problem: 'is for EXTEND alone' },
    given.length === 0 && { path: 'gifts', problem: 'must have at least one filter' },
    gifts.ids !== undefined && given.length > 1 && { path: 'gifts.ids', problem: 'must be the only field of gifts' },
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw invalid(faults);
}

/** The gifts of an order that is not fulfilled yet do not exist, so that it would look as if they had been changed. */
async function checkOrder(tx: Queryable, workspaceId: number, requestId: string): Promise<void> {
  const order = await queryOptional<{ isFinished: boolean }>(
    tx,
    `select o.request_id is not null as "isFinished"
       from order_requests r
       left join orders o on o.workspace_id = r.workspace_id and o.request_id = r.request_id
      where r.workspace_id = $1
        and r.request_id = $2`,
    [workspaceId, requestId],
  );
  if (!order) throw invalid([{ path: 'gifts.requestId', problem: 'is no order of this workspace' }]);
  if (!order.isFinished)
    throw new Failure('conflict', 'The gifts of this order are not issued yet: try again in some seconds.', {
      headers: { 'Retry-After': '2' },
    });
}

interface Earlier extends NewBulkAction {
  id: number;
}

function findEarlier(tx: Queryable, workspaceId: number, key: string): Promise<Earlier | null> {
  return queryOptional<Earlier>(
    tx,
    `select id, action, filter as gifts, expires_on::text as "expiresOn"
       from bulk_actions
      where workspace_id = $1
        and idempotency_key = $2`,
    [workspaceId, key],
  );
}

function replay(tx: Queryable, workspaceId: number, { id, ...earlier }: Earlier, asked: NewBulkAction) {
  const difference = mismatch(earlier, { ...asked, expiresOn: asked.expiresOn ?? null });
  if (difference !== null) throw new Failure('mismatch', ...difference);
  return readBulkAction(tx, workspaceId, id);
}

const createSql = `
  insert into bulk_actions (workspace_id, id, action, filter, expires_on, actor, actor_id, actor_name, idempotency_key, created_at,
                            last_gift_id)
  select $1, greatest((select max(id) from bulk_actions where workspace_id = $1), ${slowHistoryBase}, 0) + 1,
         $2, $3::jsonb, $4::date, $5, $6, $7, $8, $9::timestamptz,
         coalesce((select max(id) from certificates where workspace_id = $1), 0)
  returning id`;
