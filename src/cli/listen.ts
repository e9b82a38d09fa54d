import { createSecretKey, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { ClientConfig } from '../config.ts';
import type { EventPage, EventRecord } from '../contract/event.ts';
import { eventId } from '../events/log.ts';
import { signedHeaders } from '../events/webhooks/signature.ts';
import { durationMs, eventTypeList, positiveInteger, webAddress } from './arguments.ts';
import { cell } from './output.ts';
import { call, readClient, ServiceAway, settingsHelp } from './service-client.ts';
import { stopOnSignal } from './stopping.ts';

interface Options {
  forwardTo?: string;
  types?: string[];
  from?: number;
  since?: number;
  json?: boolean;
}

const waitSeconds = 25;
const retryMs = 1_000;
const forwardTimeoutMs = 15_000;

export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('print events as they happen, and post them to a program of yours')
    .option('--forward-to <url>', 'post each event there, signed as a webhook is', webAddress)
    .option('--types <list>', 'only these types, with commas: order.completed,order.failed', eventTypeList)
    .option('--from <number>', 'begin with this event (default: with the next one)', positiveInteger)
    .option('--since <duration>', 'begin with the events of the last 1h, 30m or 2d', durationMs)
    .option('--json', 'print each event as one JSON object on a line')
    .addHelpText('after', settingsHelp)
    .action(listen);
}

async function listen(options: Options): Promise<void> {
  const client = readClient();
  const stopping = stopOnSignal('Stopped.');
  const forward =
    options.forwardTo === undefined ? null : createForwarder(options.forwardTo, options.json, stopping.signal);
  try {
    const start = await firstNumber(client, options);
    if (!options.json) console.log(styleText('dim', `Listening to workspace ${client.workspace} from event ${start}.`));
    for await (const event of follow(client, start - 1, options.types, stopping.signal)) {
      const outcome = forward && (await forward(event));
      console.log(options.json ? JSON.stringify(event) : describe(event, outcome));
    }
  } finally {
    stopping.end();
  }
}

/** Every event after a number, for as long as nobody stops it. While the service is away it asks again every second. */
async function* follow(
  client: ClientConfig,
  start: number,
  types: readonly string[] | undefined,
  signal: AbortSignal,
): AsyncGenerator<EventRecord> {
  let [after, isAway] = [start, false];
  while (!signal.aborted) {
    const query = new URLSearchParams({ after: String(after), size: '100', wait: String(waitSeconds) });
    if (types) query.set('types', types.join(','));
    try {
      const { answer } = await call(client, 'GET', `/api/v1/events?${query}`, { signal });
      if (isAway) console.error('The service is back.');
      isAway = false;
      const { events, next } = answer as EventPage;
      yield* events;
      after = next;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ServiceAway)) throw error;
      if (!isAway) console.error(`${error.message} Trying again until it answers.`);
      isAway = true;
      await sleep(retryMs, undefined, { signal }).catch(() => {});
    }
  }
}

async function firstNumber(client: ClientConfig, { from, since }: Options): Promise<number> {
  if (from !== undefined) return from;
  const { answer } = await call(client, 'GET', '/api/v1/events?size=1');
  const { events, latest } = answer as EventPage;
  if (since === undefined) return latest + 1;
  return firstSince(client, events[0]?.number ?? latest + 1, latest, new Date(Date.now() - since));
}

/** Numbers follow time, so the first event since a moment is found by halving. */
async function firstSince(client: ClientConfig, oldest: number, latest: number, moment: Date): Promise<number> {
  let [low, high] = [oldest, latest + 1];
  const workspaceId = Number(client.workspace);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { answer } = await call(client, 'GET', `/api/v1/events/${eventId(workspaceId, middle)}`);
    if (new Date((answer as EventRecord).timestamp) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Posts events to a program on the developer's machine, signed with a secret that is made for this run. */
function createForwarder(url: string, json: boolean | undefined, stopping: AbortSignal) {
  const secret = randomBytes(32);
  const key = createSecretKey(secret);
  const shown = `Signed with the secret whsec_${secret.toString('base64')}`;
  if (json) console.error(shown);
  else console.log(shown);
  return async (event: EventRecord): Promise<string> => {
    const body = JSON.stringify(event);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...signedHeaders([key], event.id, body, new Date()) },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(forwardTimeoutMs), stopping]),
      });
      await response.arrayBuffer();
      return response.ok ? styleText('green', String(response.status)) : styleText('red', String(response.status));
    } catch (error) {
      return styleText('red', `no answer (${(error as { cause?: Error }).cause?.message ?? (error as Error).message})`);
    }
  };
}

function describe({ number, type, timestamp, data }: EventRecord, outcome: string | null): string {
  const facts = Object.entries(data).map(([name, value]) => `${name} ${cell(value)}`);
  const time = styleText('dim', `${timestamp.slice(0, 19).replace('T', ' ')} UTC`);
  return [time, `#${number}`, styleText('bold', type), facts.join(', '), ...(outcome ? [`→ ${outcome}`] : [])].join(
    '  ',
  );
}
