import { type GiftDetails, type Giftwire, GiftwireError, type OrderDetails, type OrderRecord } from '@giftwire/sdk';
import type { Command } from 'commander';
import type { ClientConfig } from '../../ground/config/config.ts';
import { Failure } from '../../ground/errors.ts';
import { positiveInteger, printableText } from './arguments.ts';
import { giftwire } from './call.ts';
import { cell, fields, print } from './output.ts';
import { readClient, settingsHelp, withService } from './service-client.ts';

interface Options {
  to?: string;
  employeeNumber?: string;
  amount: string;
  currency: string;
  message: string;
  sender?: string;
  note?: string;
  language?: string;
  deliverAt?: string;
  idempotencyKey?: string;
  reference?: string;
  timeout: number;
  json?: boolean;
}

export function addSendCommand(program: Command): void {
  program
    .command('send')
    .description('send a gift through the HTTP interface, wait for it and show its certificate')
    .option('--to <email>', "the recipient's email address; this or --employee-number is required")
    .option('--employee-number <number>', "the recipient's employee number")
    .requiredOption('--amount <amount>', 'the amount, for example 25 or 25.50')
    .requiredOption('--message <text>', 'the text that goes with it')
    .option('--currency <code>', 'an ISO 4217 code', 'CAD')
    .option('--language <code>', "the language of its email and page, for example FR_CA (default: the workspace's)")
    .option('--deliver-at <time>', 'when it is emailed, for example 2026-12-24T09:00:00-05:00 (default: at once)')
    .option('--sender <who>', 'the email address or employee number of the member who sends it (scope orders:delegate)')
    .option('--note <text>', 'what the gift is for; the recipient never sees it')
    .option('--reference <text>', 'your own reference (X-Customer-Request-Id)', printableText)
    .option('--idempotency-key <key>', 'makes repeating this command safe', printableText)
    .option('--timeout <seconds>', 'how long to wait until the gift is issued', positiveInteger, 30)
    .option('--json', 'print the order record as one JSON object')
    .addHelpText('after', settingsHelp)
    .action(async (options: Options) => {
      const client = readClient();
      await withService(client, (giftwire) => sendAndShow(giftwire, client, options));
    });
}

async function sendAndShow(giftwire: Giftwire, client: ClientConfig, options: Options): Promise<void> {
  const sent = await send(giftwire, options);
  if ('waiting' in sent) return print(options.json, sent.waiting, () => describeWaiting(sent.waiting, client));
  if (options.json) return print(true, sent.order, () => '');
  const text = describe(sent, await recipientOf(giftwire, sent.order, options));
  const steps = nextSteps(client, sent.order, await giftOf(giftwire, sent.order));
  print(false, null, () => `${text}\n\n${steps}`);
}

interface Sent {
  order: OrderRecord;
  /** The Idempotency-Key was used before, and the service answered with that order. */
  isReplayed: boolean;
}

/** A rule lets the order wait: its gift is issued when it is approved. */
interface Waiting {
  waiting: OrderDetails;
}

async function send({ orders }: Giftwire, options: Options): Promise<Sent | Waiting> {
  if (!options.to && !options.employeeNumber)
    throw new Failure('invalid', 'Say who gets it: --to an email address, or --employee-number.');
  if (!/^(0|[1-9]\d*)(\.\d+)?$/.test(options.amount))
    throw new Failure('invalid', 'The amount must be a number such as 25.50.');
  const recipient = {
    ...(options.to !== undefined && { email: options.to }),
    ...(options.employeeNumber !== undefined && { employeeNumber: options.employeeNumber }),
  };
  // Sent exactly as it was typed; the service checks it.
  const item = { message: options.message, amount: rawJson(options.amount), recipient };
  const { requestId, replayed } = await orders.create(
    { currency: options.currency, ...termsOf(options), orderItems: [item] },
    { idempotencyKey: options.idempotencyKey, customerRequestId: options.reference },
  );
  // A token that may not read orders waits for the time-out.
  const details = await orders.details(requestId).catch(() => null);
  if (details?.approval?.state === 'WAITING') return { waiting: details };
  const order = await orders.waitFor(requestId, { timeoutMs: options.timeout * 1_000 }).catch((error) => {
    throw outcome(error, requestId);
  });
  return { order, isReplayed: replayed };
}

/** The optional fields of the order. */
function termsOf({ sender, note, language, deliverAt }: Options) {
  return {
    ...(sender !== undefined && { sender: sender.includes('@') ? { email: sender } : { employeeNumber: sender } }),
    ...(note !== undefined && { note }),
    ...(language !== undefined && { language }),
    ...(deliverAt !== undefined && { deliverAt }),
  };
}

/** What to do about an order that has failed or still waits. */
function outcome(error: unknown, requestId: string): unknown {
  const { type } = error instanceof GiftwireError ? error : {};
  if (type === 'order_failed')
    return new Failure('setup', `The order ${requestId} has failed: ${giftwire} order show ${requestId} says why.`);
  if (type === 'still_pending')
    return new Failure(
      'setup',
      `The order ${requestId} is accepted and still waits: ${giftwire} doctor says whether a worker runs.`,
    );
  return error;
}

/** Node has `JSON.rawJSON`; TypeScript has no type for it yet. It stands for the number that it is sent as. */
const rawJson = (JSON as unknown as { rawJSON(text: string): number }).rawJSON;

/** The recipient's name and address if the token may read people, else what the command named. */
async function recipientOf({ members }: Giftwire, { certificates }: OrderRecord, options: Options): Promise<string> {
  const named = options.to ?? `employee number ${options.employeeNumber}`;
  const [certificate] = certificates;
  const found = certificate && (await members.get(certificate.recipientUser).catch(() => null));
  if (!found) return named;
  const { firstName, lastName, email } = found;
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return name ? `${name} (${email ?? named})` : (email ?? named);
}

function describeWaiting({ requestId, approval }: OrderDetails, { workspace }: ClientConfig): string {
  return [
    `The order ${requestId} waits for approval (${cell(approval?.rule.name ?? '')}). Its gift is issued when it is approved. Who is asked:`,
    `  ${giftwire} approval show ${requestId} --workspace ${workspace}`,
  ].join('\n');
}

function describe({ order, isReplayed }: Sent, recipient: string): string {
  const [certificate] = order.certificates;
  if (!certificate) return `Order ${order.id} is completed.`;
  const gift = `${certificate.amount} ${certificate.currency} to ${cell(recipient)}`;
  const head = isReplayed
    ? `Nothing new was sent: this idempotency key was used before.\nSent then: ${gift}.`
    : `Sent ${gift}.`;
  const details = fields({
    request: order.requestId,
    order: order.id,
    certificate: certificate.id,
    amount: `${certificate.amount} ${certificate.currency}`,
    sender: certificate.senderName,
    recipient: `${recipient}, member ${certificate.recipientUser}`,
    message: certificate.message,
    'long token': certificate.longToken,
    'short token': certificate.shortToken,
  });
  return `${head}\n\n${details}`;
}

/** Where the gift stands, if the token may read that. */
async function giftOf({ gifts }: Giftwire, { certificates }: OrderRecord): Promise<GiftDetails | null> {
  const [certificate] = certificates;
  return certificate ? gifts.get(certificate.id).catch(() => null) : null;
}

function nextSteps(client: ClientConfig, { certificates }: OrderRecord, gift: GiftDetails | null): string {
  const id = certificates[0]?.id;
  const stands = ['Where the gift stands:', `  ${giftwire} gift show ${id} --workspace ${client.workspace}`];
  return [...deliverySteps(client, gift), ...stands].join('\n');
}

function deliverySteps({ token, workspace }: ClientConfig, gift: GiftDetails | null): string[] {
  if (gift === null || gift.delivery === 'NONE')
    return [
      'Next: no email tells the recipient. Pass a token on yourself, the long one',
      'in a link or the short one for typing, and keep both secret: they are the gift.',
    ];
  if (gift.delivery === 'NO_ADDRESS')
    return [
      'Next: no email address of the recipient is known. Print the gift:',
      `  ${giftwire} gift print gift.html --ids ${gift.id} --workspace ${workspace}`,
    ];
  const mailed = `Next: an email about it goes to ${cell(gift.address)}.`;
  const isTest = token?.startsWith('gw_test_');
  return isTest ? [`${mailed} See it, and the gift page:`, `  ${giftwire} outbox open`] : [mailed];
}
