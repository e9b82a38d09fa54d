import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { unknownEmployeeNumbers } from '../../company/directory/members.ts';
import { knowNobody, refusals } from '../../company/directory/recipient-rules.ts';
import { takeInAhead } from '../../company/directory/recipients.ts';
import { readClock } from '../../company/workspaces/clock.ts';
import type { OrderRequest } from '../../ground/contract/order.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { Fault } from '../../ground/errors.ts';
import { notOffered, offeredReasons } from '../recognition/reasons.ts';
import { deliverAtProblem } from './deliver-at.ts';
import { readPendingLines } from './pending-lines.ts';
import { findSender, type OrderSender, ownSender } from './sender.ts';

/** What is checked of an order. An invalid recipient is null. */
interface CheckedOrder {
  orderItems: readonly CheckedItem[];
  deliverAt?: string | null;
  sender?: OrderRequest['sender'] | null;
}

/** What the checks have found: what is wrong with an order, and its sender, or null if that is wrong. */
export interface CheckedSender {
  sender: OrderSender | null;
  faults: Fault[];
}

interface CheckedItem {
  recipient: OrderRequest['orderItems'][number]['recipient'] | null;
  reasonId?: number | null;
  deliverAt?: string | null;
}

/** Whether the workspace may refuse something in the order. Most orders name nothing that could be refused. */
export function needsChecks(workspace: WorkspaceGrant, { orderItems, deliverAt, sender }: CheckedOrder): boolean {
  return (
    checksNumbers(workspace) || !!deliverAt || !!sender || orderItems.some((item) => item.reasonId || item.deliverAt)
  );
}

/** What a workspace refuses in a well-formed order. People who have left are found when the order is stored. */
export async function checkOrder(
  on: Queryable,
  workspace: WorkspaceGrant,
  order: CheckedOrder,
): Promise<CheckedSender> {
  const sender = order.sender ? await findSender(on, workspace, order.sender) : ownSender(workspace);
  const isFault = 'problem' in sender;
  const faults = [
    ...(checksNumbers(workspace) ? await numberFaults(on, workspace, order) : []),
    ...(await reasonFaults(on, workspace.workspaceId, order)),
    ...(await dateFaults(on, workspace.workspaceId, order)),
    ...(isFault ? [sender] : []),
  ];
  return { sender: isFault ? null : sender, faults };
}

function checksNumbers({ refusesUnknownEmployeeNumbers, onlyReportsOf }: WorkspaceGrant): boolean {
  return refusesUnknownEmployeeNumbers || onlyReportsOf !== null;
}

async function numberFaults(
  on: Queryable,
  { workspaceId, onlyReportsOf }: WorkspaceGrant,
  order: CheckedOrder,
): Promise<Fault[]> {
  const alone = order.orderItems.map(({ recipient }) =>
    recipient?.email ? null : (recipient?.employeeNumber ?? null),
  );
  const unknown =
    onlyReportsOf === null
      ? await findUnknown(on, workspaceId, order)
      : await unknownEmployeeNumbers(on, workspaceId, [...new Set(alone.flatMap((one) => one ?? []))], onlyReportsOf);
  const problem = onlyReportsOf === null ? refusals.isUnknown : refusals.isUnseen;
  return alone.flatMap((number, index) =>
    number !== null && unknown.has(number) ? [{ path: `orderItems[${index}].recipient.employeeNumber`, problem }] : [],
  );
}

async function reasonFaults(on: Queryable, workspaceId: number, { orderItems }: CheckedOrder): Promise<Fault[]> {
  const asked = orderItems.flatMap(({ reasonId }) => reasonId ?? []);
  if (asked.length === 0) return [];
  const offered = await offeredReasons(on, workspaceId, asked);
  return orderItems.flatMap(({ reasonId }, index) =>
    reasonId && !offered.has(reasonId) ? [{ path: `orderItems[${index}].reasonId`, problem: notOffered }] : [],
  );
}

async function dateFaults(on: Queryable, workspaceId: number, order: CheckedOrder): Promise<Fault[]> {
  const asked = [
    { path: 'deliverAt', moment: order.deliverAt },
    ...order.orderItems.map(({ deliverAt }, at) => ({ path: `orderItems[${at}].deliverAt`, moment: deliverAt })),
  ].flatMap(({ path, moment }) => (moment ? [{ path, moment }] : []));
  if (asked.length === 0) return [];
  const { now } = await readClock(on, workspaceId);
  return asked.flatMap(({ path, moment }) => {
    const problem = deliverAtProblem(moment, now.getTime());
    return problem === null ? [] : [{ path, problem }];
  });
}

/**
 * The employee numbers that an order names without an email address and that no person has. A number is taken if a member
 * has it, or if a line of this order, or of an order that waits for fulfilment, names it together with an email address.
 */
async function findUnknown(on: Queryable, workspaceId: number, { orderItems }: CheckedOrder) {
  const numbersOf = (lines: readonly CheckedItem[]) =>
    lines.flatMap(({ recipient }) => recipient?.employeeNumber ?? []);
  const beside = new Set(numbersOf(orderItems.filter(({ recipient }) => recipient?.email)));
  const alone = new Set(numbersOf(orderItems.filter(({ recipient }) => !recipient?.email))).difference(beside);
  if (alone.size === 0) return alone;
  const known = knowNobody();
  const unknown = async () => {
    const unmet = [...alone].filter((number) => !known.byEmployeeNumber.has(number));
    return unmet.length === 0 ? new Set<string>() : unknownEmployeeNumbers(on, workspaceId, unmet);
  };
  const unmet = await unknown();
  if (unmet.size === 0) return unmet;
  const people = [...unmet].map((employeeNumber) => ({ emailKey: null, employeeNumber }));
  await takeInAhead(on, workspaceId, known, await readPendingLines(on, workspaceId, people));
  // Asked again, because a waiting order may have been fulfilled since the first look at the members.
  return unknown();
}
