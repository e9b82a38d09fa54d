import type { Command } from 'commander';
import { uuid } from '../contract/schema.ts';
import { Failure } from '../errors.ts';
import { type OrderOverview, readOverview } from '../orders/overview.ts';
import { retryOrder } from '../orders/retry.ts';
import { fields, print, table } from './output.ts';
import { withDatabase } from './session.ts';

export function addOrderCommands(program: Command): void {
  const order = program.command('order').description('look at orders, and try failed ones again');

  order
    .command('show <requestId>')
    .description('show an order with its gifts and, where it failed, the reason; gift tokens stay secret')
    .option('--json', 'print one JSON object')
    .action(async (requestId: string, { json }: { json?: boolean }) => {
      if (!uuid.test(requestId)) throw new Failure('invalid', 'The requestId must be a UUID.');
      const overview = await withDatabase((database) => readOverview(database, requestId));
      if (!overview) throw new Failure('missing', `There is no order request ${requestId}.`);
      print(json, overview, () => describe(overview));
    });

  order
    .command('retry <requestId>')
    .description('open a failed order again, after its cause was put right; a worker takes it up at once')
    .option('--json', 'print one JSON object')
    .action(async (requestId: string, { json }: { json?: boolean }) => {
      if (!uuid.test(requestId)) throw new Failure('invalid', 'The requestId must be a UUID.');
      await withDatabase((database) => retryOrder(database, requestId));
      const next = `Order ${requestId} waits for fulfilment again: "giftwire order show ${requestId}" tells how it ends.`;
      print(json, { requestId, requestStatus: 'ACCEPTED' }, () => next);
    });
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
    ...(order.failure !== null && { failure: order.failure }),
  });
  const rows = gifts.map((gift) => [
    gift.certificateId,
    gift.recipient,
    `${gift.amount} ${order.currency}`,
    gift.message,
  ]);
  return `${head}\n\n${table(['Certificate', 'Recipient', 'Amount', 'Message'], rows)}`;
}
