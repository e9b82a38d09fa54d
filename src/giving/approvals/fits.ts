import type { OrderRequest } from '../../ground/contract/order.ts';
import type { RuleCondition } from '../../ground/contract/rule.ts';
import { type UnitField, unitFields } from '../../ground/values/member.ts';
import { sumOf } from '../../ground/values/money.ts';
import { plainText } from '../../ground/values/text.ts';

/** Where an order comes from. What is undefined is not known yet. */
export interface Origin extends Partial<Record<UnitField, string | null>> {
  /** The first of the tokens that replaced each other; null for a user. */
  tokenId: number | null;
  /** The token, the user or the automation that sends it: no two of them have the same id. */
  callerId: number;
  /** Of the user who sends it; null for a token. */
  role: string | null;
  teamId?: number | null;
}

/** What an order would bring its sender's month and its recipients' years to. What is undefined is not known yet. */
export type OrderTotals = Partial<Record<'SENDER_MONTH' | 'RECIPIENT_YEAR', number>>;

/** Whether a rule fits an order. If it depends on something that is not known yet, the rule may fit: true. */
export function fits(
  rule: RuleCondition,
  origin: Origin,
  order: Pick<OrderRequest, 'currency' | 'orderItems'>,
  totals: OrderTotals = {},
): boolean {
  return rule.currency === order.currency && comesFrom(rule.from, origin) && measured(rule, order, totals) > rule.above;
}

/** Whether rules measure a total of earlier orders. All orders in their currency count in it, from any source. */
export function isByTotal({ measure }: Pick<RuleCondition, 'measure'>): boolean {
  return measure === 'SENDER_MONTH' || measure === 'RECIPIENT_YEAR';
}

function comesFrom(from: RuleCondition['from'], origin: Origin): boolean {
  if (from.role !== undefined) return from.role === origin.role;
  if (from.tokenId !== undefined) return from.tokenId === origin.tokenId;
  if (from.automationId !== undefined) return from.automationId === origin.callerId;
  if (from.teamId !== undefined) return isSame(from.teamId, origin.teamId);
  return unitFields.every((name) => from[name] === undefined || isSame(from[name], origin[name]));
}

function isSame<T extends string | number>(wanted: T, known: T | null | undefined): boolean {
  return known === undefined || keyOf(wanted) === keyOf(known);
}

function keyOf(value: string | number | null): string | number | null {
  return typeof value === 'string' ? plainText(value).toLowerCase() : value;
}

function measured(
  { measure }: RuleCondition,
  { orderItems }: Pick<OrderRequest, 'orderItems'>,
  totals: OrderTotals,
): number {
  if (measure === 'SENDER_MONTH' || measure === 'RECIPIENT_YEAR') return totals[measure] ?? Number.POSITIVE_INFINITY;
  const amounts = orderItems.map(({ amount }) => amount);
  return measure === 'GIFT' ? Math.max(...amounts) : sumOf(amounts);
}
