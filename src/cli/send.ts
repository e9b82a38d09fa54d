import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { type ClientConfig, readClientConfig } from '../config.ts';
import type { OrderRecord, OrderRequestStatus } from '../contract/order.ts';
import { Failure } from '../errors.ts';
import { positiveInteger } from './arguments.ts';
import { fields, print } from './output.ts';

interface Options {
  to?: string;
  employeeNumber?: string;
  amount: string;
  currency: string;
  message: string;
  idempotencyKey?: string;
  reference?: string;
  timeout: number;
  json?: boolean;
}

const pollMs = 50;

export function addSendCommand(program: Command): void {
  program
    .command('send')
    .description('send a gift through the HTTP interface, wait for it and show its certificate')
    .option('--to <email>', "the recipient's e-mail address")
    .option('--employee-number <number>', 'or their employee number')
    .requiredOption('--amount <amount>', 'the amount, as 25 or 25.50')
    .requiredOption('--message <text>', 'the text that goes with it')
    .option('--currency <code>', 'an ISO 4217 code', 'CAD')
    .option('--reference <text>', 'your own reference (X-Customer-Request-Id)')
    .option('--idempotency-key <key>', 'makes repeating this command safe')
    .option('--timeout <seconds>', 'how long to wait for completion', positiveInteger, 30)
    .option('--json', 'print the order record as one JSON object')
    .addHelpText('after', '\nSettings: GIFTWIRE_URL, GIFTWIRE_TOKEN, GIFTWIRE_WORKSPACE (see "giftwire env").')
    .action(async (options: Options) => {
      const order = await send(readClientConfig(), options);
      print(options.json, order, () => describe(order));
    });
}

async function send(client: ClientConfig, options: Options): Promise<OrderRecord> {
  if (!client.token) throw new Failure('setup', 'Set GIFTWIRE_TOKEN to an API token: giftwire token create makes one.');
  if (!options.to && !options.employeeNumber)
    throw new Failure('invalid', 'Say who gets it: --to an e-mail address, or --employee-number.');
  if (!/^(0|[1-9]\d*)(\.\d+)?$/.test(options.amount))
    throw new Failure('invalid', 'The amount must be a number, as 25.50.');
  const recipient = { email: options.to, employeeNumber: options.employeeNumber };
  // As it was typed: the service decides whether it is exact enough.
  const item = { message: options.message, amount: rawJson(options.amount), recipient };
  const created = (await call(client, 'POST', '/api/v1/orders', {
    body: JSON.stringify({ currency: options.currency, orderItems: [item] }),
    headers: {
      'Content-Type': 'application/json',
      ...(options.reference !== undefined && { 'X-Customer-Request-Id': headerBytes(options.reference) }),
      ...(options.idempotencyKey !== undefined && { 'Idempotency-Key': headerBytes(options.idempotencyKey) }),
    },
  })) as OrderRequestStatus;
  return finished(client, created, options.timeout * 1_000);
}

async function finished(client: ClientConfig, created: OrderRequestStatus, timeoutMs: number): Promise<OrderRecord> {
  const { requestId } = created;
  const deadline = Date.now() + timeoutMs;
  for (let { requestStatus } = created; requestStatus !== 'COMPLETED'; ) {
    if (requestStatus === 'FAILED')
      throw new Failure('setup', `The order ${requestId} has failed: giftwire order show ${requestId} says why.`);
    if (Date.now() > deadline)
      throw new Failure('setup', `The order ${requestId} is accepted and still waiting: is a worker running?`);
    await sleep(pollMs);
    // The order is accepted: a failing look at it is no reason to send it again.
    const status = await call(client, 'GET', `/api/v1/orders/status/${requestId}`).catch(() => null);
    requestStatus = (status as OrderRequestStatus | null)?.requestStatus ?? requestStatus;
  }
  return (await call(client, 'GET', `/api/v1/orders/${requestId}`)) as OrderRecord;
}

async function call(
  { url, token, workspace }: ClientConfig,
  method: string,
  path: string,
  { body, headers }: { body?: string; headers?: Record<string, string> } = {},
): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'X-Workspace-id': workspace, ...headers },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(30_000),
  }).catch((cause) => {
    throw new Failure('setup', `There is no answer from ${url}: is the service running?`, { cause });
  });
  const answer = (await response.json().catch(() => ({}))) as { message?: string };
  if (!response.ok) throw new Failure('setup', `${response.status}: ${answer.message ?? response.statusText}`);
  return answer;
}

/** Node knows it, TypeScript's library does not yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/** A header carries bytes: here those of the text in UTF-8. */
function headerBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function describe(order: OrderRecord): string {
  const [certificate] = order.certificates;
  if (!certificate) return `Order ${order.id} is completed.`;
  return fields({
    request: order.requestId,
    order: order.id,
    certificate: certificate.id,
    amount: `${certificate.amount} ${certificate.currency}`,
    sender: certificate.senderName,
    recipient: certificate.recipientUser,
    message: certificate.message,
    'long token': certificate.longToken,
    'short token': certificate.shortToken,
  });
}
