import type { Command } from 'commander';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { checkWorkspace } from '../../company/workspaces/workspaces.ts';
import { type ListedOrder, listOrders, type OrderList, type OrderQuery } from '../../giving/orders/list.ts';
import { type OrderOverview, readOrderOverview } from '../../giving/orders/overview.ts';
import { retryOrder } from '../../giving/orders/retry.ts';
import { Failure } from '../../ground/errors.ts';
import { acceptSteps } from '../../steps.ts';
import { limitOf, type OrderStatus, oneOfWords, orderStatuses, positiveInteger, requestIdText } from './arguments.ts';
import { cell, counted, fields, print, table } from './output.ts';
import { withDatabase } from './session.ts';

interface ListOptions {
  workspace?: number;
  status?: OrderStatus;
  limit: number;
  before?: string;
  json?: boolean;
}

export function addOrderCommands(program: Command): void {
  const order = program.command('order').description('list orders, look at one, and try a failed one again');
  addListCommand(order);
  addShowCommand(order);
  addRetryCommand(order);
}

function addListCommand(order: Command): void {
  order
    .command('list')
    .description('list orders, newest first')
    .option('--workspace <id>', 'only orders of this workspace (default: all)', positiveInteger)
    .option('--status <status>', `only orders in this state: ${orderStatuses.join(', ')}`, oneOfWords(orderStatuses))
    .option('--limit <n>', 'how many, up to 1000', limitOf(1_000), 20)
    .option('--before <requestId>', 'only orders older than this one', requestIdText)
    .option('--json', 'print one JSON object')
    .action(async ({ workspace, status, limit, before, json }: ListOptions) => {
      const query = { workspaceId: workspace ?? null, status: status ?? null, limit, before: before ?? null };
      const list = await withDatabase(async (database) => {
        const found = await listOrders(database, query);
        // For a workspace that does not exist, say so: an empty list would mean that it has no orders.
        if (workspace !== undefined && found.examined === 0) await checkWorkspace(database, workspace);
        return found;
      });
      print(json, list, () => describeList(list, query));
    });
}

function addShowCommand(order: Command): void {
  order
    .command('show')
    .argument('<requestId>', 'the requestId that the order was answered with', requestIdText)
    .description('show an order with its gifts and, where it failed, the reason; gift tokens stay secret')
    .option('--json', 'print one JSON object')
    .action(async (asked: string, { json }: { json?: boolean }) => {
      const overview = await withDatabase((database) => readOrderOverview(database, asked));
      if (!overview)
        throw new Failure('missing', `There is no order request ${asked}: "giftwire order list" shows the newest.`);
      print(json, overview, () => describe(overview));
    });
}

function addRetryCommand(order: Command): void {
  order
    .command('retry')
    .argument('<requestId>', 'the requestId that the order was answered with', requestIdText)
    .description('fulfil a failed order again, once its cause is corrected')
    .option('--json', 'print one JSON object')
    .action(async (asked: string, { json }: { json?: boolean }) => {
      await withDatabase((database) => retryOrder(database, atTheCommandLine, asked, acceptSteps));
      const next = `Order ${asked} waits for fulfilment again: "giftwire order show ${asked}" tells how it ends.`;
      print(json, { requestId: asked, requestStatus: 'ACCEPTED' }, () => next);
    });
}

function describeList({ orders, examined, next }: OrderList, { status, limit }: OrderQuery): string {
  const lines = orders.map(describeListed);
  if (status !== null && orders.length < limit)
    lines.push(
      `${orders.length || 'No'} ${status} ${orders.length === 1 ? 'order' : 'orders'}${examined > orders.length ? ` among the ${examined} looked at` : ''}.`,
    );
  else if (orders.length === 0) lines.push('There is no order here yet: "giftwire send" sends one.');
  if (next !== null) lines.push(`Older ones: add --before ${next}`);
  return lines.join('\n');
}

/** Two lines, because the id that the other commands take has 36 characters: a table would not fit a terminal. */
function describeListed(order: ListedOrder): string {
  const gifts = `${counted(order.gifts, 'gift')}, ${order.total} ${order.currency}`;
  const lines = [
    `${order.requestId}  ${order.requestStatus.padEnd(9)}  ${cell(order.acceptedAt)}`,
    `  ${gifts}, sent by ${cell(order.senderName)} in workspace ${order.workspaceId}`,
    ...(order.failure === null ? [] : [`  failed: ${cell(order.failure)}`]),
  ];
  return lines.join('\n');
}

function describe({ gifts, ...order }: OrderOverview): string {
  const head = fields({
    request: order.requestId,
    status: order.requestStatus,
    order: order.orderId,
    workspace: order.workspaceId,
    sender: order.senderName,
    reference: order.customerRequestId,
    accepted: order.acceptedAt,
    finished: order.finishedAt,
    ...(order.note !== null && { note: order.note }),
    ...(order.failure !== null && { failure: order.failure }),
  });
  const isScheduled = gifts.some(({ deliverAt }) => deliverAt !== null);
  const rows = gifts.map((gift) => [
    gift.certificateId,
    gift.recipient,
    `${gift.amount} ${order.currency}`,
    ...(isScheduled ? [gift.deliverAt ?? 'at once'] : []),
    gift.message,
  ]);
  const when = isScheduled ? ['Emailed'] : [];
  return `${head}\n\n${table(['Certificate', 'Recipient', 'Amount', ...when, 'Message'], rows)}`;
}
