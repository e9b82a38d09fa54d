import { lockWorkspace } from '../../company/workspaces/lock.ts';
import type { Gift } from '../../giving/gifts/gift.ts';
import type { TaxType, Way, WayKind, WaySetting } from '../../ground/contract/way.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure, type Fault, invalid } from '../../ground/errors.ts';
import { roundedDown, roundedUp, sumOf, unitsOfOne } from '../../ground/values/money.ts';
import { findPool } from '../code-pools/pools.ts';
import { faultsOf, payrollId } from './way-rules.ts';

const usualTaxTypes: Record<WayKind, TaxType> = {
  PAYROLL: 'CASH',
  POOL: 'NEAR_CASH',
  HAND: 'NON_CASH',
  TILL: 'NEAR_CASH',
};

/** What a workspace offers that has not set payroll. */
export const payrollByDefault: Way = wayOf(payrollId, { kind: 'PAYROLL', name: 'With the next salary' });

interface Row extends Omit<Way, 'link' | 'poolId' | 'columns'> {
  detail: Partial<Pick<Way, 'link' | 'poolId' | 'columns'>>;
}

/** All ways of a workspace, also those that are off, as recipients see them: by position, then by id. */
export async function readWays(on: Queryable, workspaceId: number): Promise<Way[]> {
  const rows = await on.query<Row>(
    `select id, kind, name, description, currencies, min_amount as "minAmount", max_amount as "maxAmount",
            allows_parts as "allowsParts", is_on as "isOn", position, tax_type as "taxType", detail
       from ways
      where workspace_id = $1
      order by position, id`,
    [workspaceId],
  );
  const set = rows.map(({ detail, ...row }): Way => ({ ...row, link: null, poolId: null, columns: null, ...detail }));
  return set.some(({ id }) => id === payrollId) ? set : [payrollByDefault, ...set];
}

export async function readWay(on: Queryable, workspaceId: number, id: string): Promise<Way> {
  const way = (await readWays(on, workspaceId)).find((one) => one.id === id);
  if (!way) throw new Failure('missing', 'This workspace has no way to spend with this id.');
  return way;
}

/** A way that a recipient may choose now, and how much of the gift can be spent with it at once. */
export interface OfferedWay extends Way {
  least: number;
  most: number;
}

/** What the recipient of a gift may choose. Of a gift that `isSplit` into as many parts as it can have, only all that is left. */
export async function waysFor(on: Queryable, gift: Gift, isSplit = false): Promise<OfferedWay[]> {
  if (gift.state === 'EXPIRED' || gift.state === 'CANCELLED') return [];
  const ways = await readWays(on, gift.workspaceId);
  const taken = ways.filter((way) => isFor(way, gift));
  return taken.flatMap((way) => offer(isSplit ? { ...way, allowsParts: false } : way, gift));
}

/** The way with what can be spent of a gift; empty if that is nothing. */
export function offer(way: Way, gift: Pick<Gift, 'amount' | 'redeemed' | 'currency'>): OfferedWay[] {
  const left = leftOf(gift);
  const limits = limitsOf(way, gift.currency);
  const most = Math.min(left, limits.most);
  const least = way.allowsParts ? limits.least : left;
  const isPossible = least <= most && limits.least <= most;
  return isPossible ? [{ ...way, least, most }] : [];
}

/** What a way takes at once of gifts in a currency, which may have fewer decimals than the limits of the way. */
export function limitsOf({ minAmount, maxAmount }: Way, currency: string): { least: number; most: number } {
  return {
    least: roundedUp(minAmount ?? 1 / unitsOfOne, currency),
    most: maxAmount === null ? Number.POSITIVE_INFINITY : roundedDown(maxAmount, currency),
  };
}

/** Whether a way is on, and fits the currency of the gift. */
export function isFor({ isOn, currencies }: Way, { currency }: Pick<Gift, 'currency'>): boolean {
  return isOn && (currencies === null || currencies.includes(currency));
}

/** What is left of a gift. */
export function leftOf({ amount, redeemed }: Pick<Gift, 'amount' | 'redeemed'>): number {
  return sumOf([amount, -redeemed]);
}

function wayOf(id: string, setting: WaySetting): Way {
  return {
    description: '',
    currencies: null,
    minAmount: null,
    maxAmount: null,
    allowsParts: true,
    isOn: true,
    position: 0,
    taxType: usualTaxTypes[setting.kind],
    link: null,
    poolId: null,
    columns: null,
    ...given(setting),
    id,
  };
}

/** Without the fields that are undefined: they get their defaults. */
function given(setting: WaySetting): WaySetting {
  return Object.fromEntries(Object.entries(setting).filter(([, value]) => value !== undefined)) as WaySetting;
}

/** Offers a way, or changes it. What is left out gets its default. */
export async function setWay(tx: Queryable, workspaceId: number, id: string, setting: WaySetting): Promise<Way> {
  await lockWorkspace(tx, workspaceId);
  const way = wayOf(id, setting);
  const earlier = (await readWays(tx, workspaceId)).find((one) => one.id === id);
  if (earlier && earlier.kind !== way.kind)
    throw new Failure('conflict', `The way "${id}" is of the kind ${earlier.kind}: choose another id.`);
  // A way that is off offers nothing: one with a fault can be switched off.
  const faults = [...faultsOf(way), ...(way.isOn ? await poolFaults(tx, workspaceId, way) : [])];
  if (faults.length > 0) throw invalid(faults);
  const { link, poolId, columns } = way;
  await tx.query(setSql, [
    workspaceId,
    id,
    way.kind,
    way.name,
    way.description,
    way.currencies,
    way.minAmount,
    way.maxAmount,
    way.allowsParts,
    way.isOn,
    way.position,
    way.taxType,
    JSON.stringify({ link, poolId, columns }),
  ]);
  return way;
}

/** Whether the pool of a way is there, and has codes for gifts that the way takes. */
async function poolFaults(tx: Queryable, workspaceId: number, { kind, poolId, currencies }: Way): Promise<Fault[]> {
  if (kind !== 'POOL' || poolId === null) return [];
  const pool = await findPool(tx, workspaceId, poolId);
  if (!pool) return [{ path: 'poolId', problem: 'must be the id of a pool of this workspace' }];
  const { currency } = pool;
  if (currencies === null || currencies.includes(currency)) return [];
  return [{ path: 'poolId', problem: `has codes in ${currency}, which is none of the currencies of the way` }];
}

const setSql = `
  insert into ways (workspace_id, id, kind, name, description, currencies, min_amount, max_amount, allows_parts, is_on, position,
                    tax_type, detail)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  on conflict (workspace_id, id) do update
     set name = excluded.name, description = excluded.description, currencies = excluded.currencies,
         min_amount = excluded.min_amount, max_amount = excluded.max_amount, allows_parts = excluded.allows_parts,
         is_on = excluded.is_on, position = excluded.position, tax_type = excluded.tax_type, detail = excluded.detail`;
