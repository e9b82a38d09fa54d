import type { WorkspaceGrant } from '../../company/access/grants.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { AcceptedOrder, AcceptStep, Hold } from './order-steps.ts';
import { concerns } from './store-modes.ts';

type Asked = AcceptedOrder & { workspace: WorkspaceGrant };

/** What the steps say about orders, by requestId: which are not accepted, and which wait for a decision. */
export interface Sifted {
  refused: ReadonlyMap<string, Failure>;
  holds: ReadonlyMap<string, Hold>;
}

/**
 * Asks the steps which orders they reject, which wait, and which they refuse. The result is the same as if the orders had come one after the other. They are
 * judged together, so an order that is refused afterwards, for example by a budget, has counted in the totals by which later ones were judged. Then the
 * later ones are judged again without it, and from the first whose verdict changes, refusals are asked for again too.
 */
export async function siftOrders(
  tx: Queryable,
  steps: readonly AcceptStep[],
  orders: readonly Asked[],
): Promise<Sifted> {
  const certain = new Map<string, Failure>();
  for (;;) {
    const asked = orders.filter(({ requestId }) => !certain.has(requestId));
    const judged = await judgeOrders(tx, steps, asked);
    const passed = asked.filter(({ requestId }) => !judged.rejected.has(requestId));
    const refused = await refuseOrders(tx, steps, passed);
    const sifted = { refused: new Map([...certain, ...judged.rejected, ...refused]), holds: judged.holds };
    const first = asked.findIndex(({ requestId }) => refused.has(requestId));
    if (first < 0 || !asked.slice(first).some(({ requestId }) => verdictOf(judged, requestId) !== null)) return sifted;
    const others = asked.filter(({ requestId }) => !refused.has(requestId));
    const again = await judgeOrders(tx, steps, others);
    const changed = others.find(({ requestId }) => verdictOf(again, requestId) !== verdictOf(judged, requestId));
    if (!changed) return sifted;
    for (const { requestId } of asked.slice(0, asked.indexOf(changed))) {
      const failure = refused.get(requestId);
      if (failure) certain.set(requestId, failure);
    }
  }
}

interface Judged {
  rejected: Map<string, Failure>;
  holds: Map<string, Hold>;
}

/** A text that is the same for the same verdict; null: the order passes. */
function verdictOf({ rejected, holds }: Judged, requestId: string): string | null {
  const [failure, hold] = [rejected.get(requestId), holds.get(requestId)];
  if (failure) return `rejected: ${failure.message}`;
  return hold ? `held: ${hold.rule.id}` : null;
}

/** The first step that says something about an order decides. */
async function judgeOrders(tx: Queryable, steps: readonly AcceptStep[], orders: readonly Asked[]): Promise<Judged> {
  const rejected = new Map<string, Failure>();
  const holds = new Map<string, Hold>();
  for (const step of steps) {
    const asked = orders.filter(
      (order) => concerns(step, order) && !rejected.has(order.requestId) && !holds.has(order.requestId),
    );
    const verdicts = asked.length > 0 ? await step.judge?.(tx, asked) : undefined;
    for (const [requestId, verdict] of verdicts ?? [])
      if (verdict instanceof Failure) rejected.set(requestId, verdict);
      else holds.set(requestId, verdict);
  }
  return { rejected, holds };
}

/** Asks the steps one after the other, each for the orders that the ones before it did not refuse. */
export async function refuseOrders(
  tx: Queryable,
  steps: readonly AcceptStep[],
  orders: readonly Asked[],
): Promise<Map<string, Failure>> {
  const refused = new Map<string, Failure>();
  for (const step of steps) {
    const asked = orders.filter((order) => concerns(step, order) && !refused.has(order.requestId));
    const refusals = asked.length > 0 ? await step.refuse?.(tx, asked) : undefined;
    for (const [requestId, failure] of refusals ?? []) refused.set(requestId, failure);
  }
  return refused;
}
