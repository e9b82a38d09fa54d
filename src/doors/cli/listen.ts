import { createSecretKey, randomBytes } from 'node:crypto';
import { styleText } from 'node:util';
import type { Fetch, Giftwire, GiftwireEvent } from '@giftwire/sdk';
import type { Command } from 'commander';
import { eventId } from '../../company/events/log.ts';
import { signedHeaders } from '../../company/events/webhooks/signature.ts';
import type { EventType } from '../../ground/contract/event.ts';
import { durationMs, positiveInteger, webAddress } from './arguments.ts';
import { eventTypeList } from './event-arguments.ts';
import { cell } from './output.ts';
import { noAnswer, readClient, settingsHelp, withService } from './service-client.ts';
import { stopOnSignal } from './stopping.ts';

interface Options {
  forwardTo?: string;
  types?: EventType[];
  from?: number;
  since?: number;
  json?: boolean;
}

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
  const unread = new AbortController();
  const signal = AbortSignal.any([stopping.signal, unread.signal]);
  // Without a reader the command would print for ever.
  process.stdout.once('error', () => unread.abort());
  const forward = options.forwardTo === undefined ? null : createForwarder(options.forwardTo, options.json, signal);
  try {
    // A service that is away at the beginning is a wrong address more often than a restart.
    const start = await withService({ ...client, retries: 0 }, (giftwire) => firstNumber(giftwire, client, options));
    if (!options.json) console.log(styleText('dim', `Listening to workspace ${client.workspace} from event ${start}.`));
    await withService({ ...client, fetch: reportAbsences(client.url, signal) }, async ({ events }) => {
      for await (const event of events.stream({ after: start - 1, types: options.types, signal })) {
        const outcome = forward && (await forward(event));
        console.log(options.json ? JSON.stringify(event) : describe(event, outcome));
      }
    });
  } finally {
    stopping.end();
  }
}

/** A fetch that says when the service goes away, and when it is back. */
function reportAbsences(url: string, stopping: AbortSignal): Fetch {
  let isAway = false;
  const becomeAway = (why: string) => {
    if (!isAway && !stopping.aborted) console.error(`${why} Trying again until it answers.`);
    isAway = true;
  };
  return async (address, init) => {
    const response = await fetch(address, init).catch((error) => {
      becomeAway(noAnswer(url));
      throw error;
    });
    if (response.status === 429 || response.status >= 500) becomeAway(`${url} answers with ${response.status}.`);
    else {
      if (isAway) console.error('The service is back.');
      isAway = false;
    }
    return response;
  };
}

async function firstNumber(
  { events }: Giftwire,
  { workspace }: { workspace: string },
  { from, since }: Options,
): Promise<number> {
  if (from !== undefined) return from;
  const { events: oldest, latest } = await events.list({ size: 1 });
  if (since === undefined) return latest + 1;
  // Numbers follow time, so the first event since a moment is found by halving.
  const moment = new Date(Date.now() - since);
  let [low, high] = [oldest[0]?.number ?? latest + 1, latest + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    // A number that was lost in a restore lies before all later events.
    const found = await events.get(eventId(Number(workspace), middle)).catch(ignoreMissing);
    if (found !== null && new Date(found.timestamp) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

function ignoreMissing(error: unknown): null {
  if ((error as { status?: unknown }).status === 404) return null;
  throw error;
}

/** Posts events to a program on the developer's machine, signed with a secret that is made for this run. */
function createForwarder(url: string, json: boolean | undefined, stopping: AbortSignal) {
  const secret = randomBytes(32);
  const key = createSecretKey(secret);
  const shown = `Signed with the secret whsec_${secret.toString('base64')}`;
  if (json) console.error(shown);
  else console.log(shown);
  return async (event: GiftwireEvent): Promise<string> => {
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

function describe({ number, type, timestamp, data }: GiftwireEvent, outcome: string | null): string {
  const facts = Object.entries(data).map(([name, value]) => `${name} ${cell(value)}`);
  const time = styleText('dim', `${timestamp.slice(0, 19).replace('T', ' ')} UTC`);
  return [time, `#${number}`, styleText('bold', type), facts.join(', '), ...(outcome ? [`→ ${outcome}`] : [])].join(
    '  ',
  );
}
