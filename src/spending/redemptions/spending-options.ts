import { lockWorkspace } from '../../company/workspaces/lock.ts';
import { seal } from '../../company/workspaces/seals.ts';
import { type Gift, leftOf } from '../../giving/gifts/gift.ts';
import type {
  PayrollColumn,
  SpendingKind,
  SpendingOption,
  SpendingOptionSetting,
} from '../../ground/contract/spending-option.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure, type Fault, invalid } from '../../ground/errors.ts';
import { roundedDown, roundedUp, unitsOfOne } from '../../ground/values/money.ts';
import { type SpendingOptionKind, spendingKinds, spendingOptionKinds } from '../../ground/values/spending-kinds.ts';
import { findPool } from '../code-pools/pools.ts';
import { spendingOptionRecord } from './sealed.ts';
import { optionFaults } from './spending-option-rules.ts';

/** What a workspace offers that has set nothing. */
export const offeredByDefault: readonly SpendingOption[] = spendingOptionKinds.flatMap((kind) => {
  const { only } = spendingKinds[kind];
  return only ? [optionOf(only.id, { kind, name: only.name })] : [];
});

interface Row extends Omit<SpendingOption, 'link' | 'poolId' | 'columns'> {
  detail: Partial<Pick<SpendingOption, 'link' | 'poolId' | 'columns'>>;
}

/** All spending options of a workspace, also those that are off, as recipients see them: by position, then by id. */
export async function readSpendingOptions(on: Queryable, workspaceId: number): Promise<SpendingOption[]> {
  const rows = await on.query<Row>(
    `select id, kind, name, description, currencies, min_amount as "minAmount", max_amount as "maxAmount",
            allows_parts as "allowsParts", is_on as "isOn", position, tax_type as "taxType", detail
       from spending_options
      where workspace_id = $1
      order by position, id`,
    [workspaceId],
  );
  const set = rows.map(
    ({ detail, ...row }): SpendingOption => ({ ...row, link: null, poolId: null, columns: null, ...detail }),
  );
  return [...offeredByDefault.filter(({ id }) => !set.some((one) => one.id === id)), ...set];
}

export async function readSpendingOption(on: Queryable, workspaceId: number, id: string): Promise<SpendingOption> {
  const option = (await readSpendingOptions(on, workspaceId)).find((one) => one.id === id);
  if (!option) throw new Failure('missing', 'This workspace has no spending option with this id.');
  return option;
}

/** A spending option that a recipient may choose now, and how much of the gift can be spent with it at once. */
export interface OfferedOption extends SpendingOption {
  least: number;
  most: number;
}

/** What the recipient of a gift may choose. Of a gift that `isSplit` into as many parts as it can have, only all that is left. */
export async function optionsFor(on: Queryable, gift: Gift, isSplit = false): Promise<OfferedOption[]> {
  if (gift.state === 'EXPIRED' || gift.state === 'CANCELLED') return [];
  const spendingOptions = await readSpendingOptions(on, gift.workspaceId);
  const taken = spendingOptions.filter((option) => isFor(option, gift));
  return taken.flatMap((option) => offer(isSplit ? { ...option, allowsParts: false } : option, gift));
}

/** The spending option with what can be spent of a gift; empty if that is nothing. */
export function offer(option: SpendingOption, gift: Pick<Gift, 'amount' | 'redeemed' | 'currency'>): OfferedOption[] {
  const left = leftOf(gift);
  const limits = limitsOf(option, gift.currency);
  const most = Math.min(left, limits.most);
  const least = option.allowsParts ? limits.least : left;
  const isPossible = least <= most && limits.least <= most;
  return isPossible ? [{ ...option, least, most }] : [];
}

/** What a spending option takes at once of gifts in a currency, which may have fewer decimals than the limits of the spending option. */
export function limitsOf({ minAmount, maxAmount }: SpendingOption, currency: string): { least: number; most: number } {
  return {
    least: roundedUp(minAmount ?? 1 / unitsOfOne, currency),
    most: maxAmount === null ? Number.POSITIVE_INFINITY : roundedDown(maxAmount, currency),
  };
}

/** Whether a spending option is on, and fits the currency of the gift. */
export function isFor({ isOn, currencies }: SpendingOption, { currency }: Pick<Gift, 'currency'>): boolean {
  return isOn && (currencies === null || currencies.includes(currency));
}

function optionOf(id: string, setting: SpendingOptionSetting): SpendingOption {
  return { ...defaultsOf(setting.kind), ...given(setting), id };
}

function defaultsOf(kind: SpendingOptionKind): SpendingKind['defaults'] {
  return {
    description: '',
    currencies: null,
    minAmount: null,
    maxAmount: null,
    allowsParts: true,
    isOn: true,
    position: 0,
    taxType: spendingKinds[kind].taxType,
    link: null,
    poolId: null,
    columns: null,
  };
}

/** The columns of payroll exports, unless the workspace chooses others. */
export const usualColumns: readonly PayrollColumn[] = (
  ['employeeNumber', 'firstName', 'lastName', 'amount', 'currency', 'date', 'redemptionId'] as const
).map((field) => ({ header: field, field }));

/** Every kind that an option can have. */
export const kindsToOffer: SpendingKind[] = spendingOptionKinds.map((kind) => {
  const { only, setting, fulfilledBy } = spendingKinds[kind];
  const columns = fulfilledBy === 'payroll' ? [...usualColumns] : null;
  return { kind, canAdd: only === null, setting, defaults: defaultsOf(kind), usualColumns: columns };
});

/** Without the fields that are undefined: they get their defaults. */
function given(setting: SpendingOptionSetting): SpendingOptionSetting {
  return Object.fromEntries(
    Object.entries(setting).filter(([, value]) => value !== undefined),
  ) as SpendingOptionSetting;
}

/** Offers a spending option, or changes it. What is left out gets its default. */
export async function setSpendingOption(
  tx: Queryable,
  workspaceId: number,
  id: string,
  setting: SpendingOptionSetting,
): Promise<SpendingOption> {
  await lockWorkspace(tx, workspaceId);
  const option = optionOf(id, setting);
  const earlier = (await readSpendingOptions(tx, workspaceId)).find((one) => one.id === id);
  if (earlier && earlier.kind !== option.kind)
    throw new Failure('conflict', `The spending option "${id}" is of the kind ${earlier.kind}: choose another id.`);
  // A spending option that is off offers nothing: one with a fault can be switched off.
  const faults = [...optionFaults(option), ...(option.isOn ? await poolFaults(tx, workspaceId, option) : [])];
  if (faults.length > 0) throw invalid(faults);
  const { link, poolId, columns } = option;
  await tx.query(setSql, [
    workspaceId,
    id,
    option.kind,
    option.name,
    option.description,
    option.currencies,
    option.minAmount,
    option.maxAmount,
    option.allowsParts,
    option.isOn,
    option.position,
    option.taxType,
    JSON.stringify({ link, poolId, columns }),
  ]);
  await seal(tx, workspaceId, { record: spendingOptionRecord, keys: [id] });
  return option;
}

/** Whether the pool of a spending option is there, and has codes for gifts that the spending option takes. */
async function poolFaults(
  tx: Queryable,
  workspaceId: number,
  { poolId, currencies }: SpendingOption,
): Promise<Fault[]> {
  if (poolId === null) return [];
  const pool = await findPool(tx, workspaceId, poolId);
  if (!pool) return [{ path: 'poolId', problem: 'must be the id of a pool of this workspace' }];
  const { currency } = pool;
  if (currencies === null || currencies.includes(currency)) return [];
  return [
    { path: 'poolId', problem: `has codes in ${currency}, which is not one of the currencies of the spending option` },
  ];
}

const setSql = `
  insert into spending_options (workspace_id, id, kind, name, description, currencies, min_amount, max_amount, allows_parts, is_on,
                                position, tax_type, detail)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  on conflict (workspace_id, id) do update
     set name = excluded.name, description = excluded.description, currencies = excluded.currencies,
         min_amount = excluded.min_amount, max_amount = excluded.max_amount, allows_parts = excluded.allows_parts,
         is_on = excluded.is_on, position = excluded.position, tax_type = excluded.tax_type, detail = excluded.detail`;
