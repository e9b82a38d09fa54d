import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import { survivorOf } from '../../company/directory/who.ts';
import { readMoments } from '../../company/workspaces/days.ts';
import type { Gift } from '../../giving/gifts/gift.ts';
import type { Redemption, RedemptionPage, RedemptionQuery } from '../../ground/contract/redemption.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { mostParts, standing } from './parts.ts';

/** What joins to `redemptions d`. Merges are followed: the recipient is the member whose record counts. */
export const redemptionTables = `
  join certificates c   on c.workspace_id = $1 and c.request_id = d.request_id and c.position = d.position
  join order_requests r on r.workspace_id = $1 and r.request_id = d.request_id
  join members named    on named.workspace_id = $1 and named.id = c.member_id
  join members m        on m.workspace_id = $1 and m.id = ${survivorOf('named')}`;

const redemptionColumns = `
  d.id, c.id as "giftId", d.request_id as "requestId", d.state, d.kind, d.spending_option as "spendingOption",
  d.spending_option_name as "spendingOptionName",
  d.tax_type as "taxType", d.retailer, d.amount, r.currency, c.amount - c.redeemed as left,
  d.detail ->> 'reference' as reference, d.detail ->> 'requestText' as "requestText", d.detail ->> 'note' as note,
  json_build_object('id', m.id, 'firstName', ${shownFirstName('m')}, 'lastName', ${shownLastName('m')}, 'email', m.email,
                    'employeeNumber', m.employee_number) as recipient,
  d.at as "redeemedAt", d.redeemed_by as "redeemedBy", d.finished_at as "finishedAt", d.finished_by as "finishedBy",
  d.exported_in as "payrollExport", d.spending_id as "spendingId"`;

interface Row extends Omit<Redemption, 'redeemedAt' | 'finishedAt'> {
  redeemedAt: Date;
  finishedAt: Date | null;
}

function redemptionOf({ redeemedAt, finishedAt, ...row }: Row): Redemption {
  return { ...row, redeemedAt: redeemedAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null };
}

export function noRedemption(): Failure {
  return new Failure('missing', 'There is no redemption with this id in this workspace.');
}

export async function readRedemption(on: Queryable, workspaceId: number, id: number): Promise<Redemption> {
  const found = await findRedemption(on, workspaceId, id);
  if (!found) throw noRedemption();
  return found;
}

async function findRedemption(on: Queryable, workspaceId: number, id: number): Promise<Redemption | null> {
  const row = await queryOptional<Row>(
    on,
    `select ${redemptionColumns}
       from redemptions d
       ${redemptionTables}
      where d.workspace_id = $1
        and d.id = $2`,
    [workspaceId, id],
  );
  return row && redemptionOf(row);
}

/**
 * What was spent of a gift, the newest first. All that stands is there: as many parts as a gift can have, and the rest. Of what was
 * reversed or declined the newest are there, while there is room.
 */
export async function readRedemptionsOfGift(
  on: Queryable,
  workspaceId: number,
  { requestId, position }: { requestId: string; position: number },
): Promise<Redemption[]> {
  const rows = await on.query<Row>(
    `select ${redemptionColumns}
       from redemptions d
       ${redemptionTables}
      where d.workspace_id = $1
        and d.request_id = $2
        and d.position = $3
      order by ${standing} desc, d.id desc
      limit $4`,
    [workspaceId, requestId, position, mostParts + 1],
  );
  return rows.map(redemptionOf).sort((one, other) => other.id - one.id);
}

/** The ids of what was spent together with a redemption, itself too, the first one first: they are decided and reversed together. */
export async function readTogether(on: Queryable, workspaceId: number, id: number): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    `select together.id
       from redemptions d
       join redemptions together on together.workspace_id = d.workspace_id and together.spending_id = d.spending_id
      where d.workspace_id = $1
        and d.id = $2
      order by together.id`,
    [workspaceId, id],
  );
  return rows.length > 0 ? rows.map((row) => row.id) : [id];
}

/** One of the redemptions of a gift; null where it has none with this id. */
export async function findRedemptionOfGift(on: Queryable, gift: Gift, id: number): Promise<Redemption | null> {
  const found = await findRedemption(on, gift.workspaceId, id);
  return found?.giftId === gift.id ? found : null;
}

export type RedemptionFilters = Omit<RedemptionQuery, 'bom'>;

/** Lists the redemptions of a workspace, the newest first. */
export async function listRedemptions(
  on: Queryable,
  workspaceId: number,
  query: RedemptionFilters,
): Promise<RedemptionPage> {
  const { from, to } = await readMoments(on, workspaceId, query);
  const before = query.after === undefined ? null : await readPlace(on, workspaceId, query.after);
  const rows = await on.query<Row>(
    listSql,
    [
      workspaceId,
      query.state ?? null,
      query.kind ?? null,
      query.spendingOption ?? null,
      query.gift ?? null,
      from,
      to,
      before?.at ?? 'infinity',
      before?.id ?? 0,
      query.size + 1,
    ],
    'once',
  );
  const redemptions = rows.slice(0, query.size).map(redemptionOf);
  return { redemptions, next: rows.length > query.size ? (redemptions.at(-1)?.id ?? null) : null };
}

const listSql = `
  select ${redemptionColumns}
    from redemptions d
    ${redemptionTables}
   where d.workspace_id = $1
     and ($2::text is null or d.state = $2)
     and ($3::text is null or d.kind = $3)
     and ($4::text is null or d.spending_option = $4)
     and ($5::bigint is null or c.id = $5)
     and d.at >= $6::timestamptz
     and d.at < $7::timestamptz
     and (d.at, d.id) < ($8::timestamptz, $9::bigint)
   order by d.at desc, d.id desc
   limit $10`;

async function readPlace(on: Queryable, workspaceId: number, id: number): Promise<{ at: string; id: number }> {
  const place = await queryOptional<{ at: string; id: number }>(
    on,
    'select at::text, id from redemptions where workspace_id = $1 and id = $2',
    [workspaceId, id],
  );
  if (!place)
    throw invalid([{ path: 'after', problem: 'is no redemption of this workspace: send the `next` of a page' }]);
  return place;
}
