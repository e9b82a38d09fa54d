import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { listenFailure } from './doors/http/connections/listen.ts';
import type { Config } from './ground/config/config.ts';
import { Failure, unavailable } from './ground/errors.ts';
import { collectFromProcesses } from './ground/metrics.ts';

export interface ProcessesOptions {
  config: Config;
  databaseUrl: string;
  log: Logger;
  /** The processes are added here; the caller ends them. */
  opened: AsyncDisposableStack;
}

type FromChild = { kind: 'ready'; url: string } | { kind: 'metrics' };
interface ToChild {
  kind: 'metrics';
  text: string;
}

const replaceAfterMs = 1_000;
const answerTimeoutMs = 3_000;

/**
 * Starts several processes of the service at one address. This parent process replaces a process that dies, and keeps what
 * all of them share: the rate limits of tokens and the sum of their metrics.
 */
export async function startProcesses({ config, databaseUrl, log, opened }: ProcessesOptions): Promise<string> {
  const port = await findPort(config);
  const stopping = new AbortController();
  new RateLimiterClusterMaster();
  const readMetrics = collectFromProcesses();
  const start = async (): Promise<string> => {
    const child = fork(port, databaseUrl);
    answerMetrics(child, readMetrics, log);
    const url = await readiness(child);
    child.once('exit', (code, signal) => {
      if (stopping.signal.aborted) return;
      log.error({ pid: child.process.pid, code, signal }, 'A process of the service has ended and is replaced.');
      void startAgain(start, stopping.signal);
    });
    return url;
  };
  opened.defer(async () => {
    stopping.abort();
    const children = Object.values(cluster.workers ?? {}).filter((child) => child !== undefined);
    await Promise.all(children.map(end));
  });

  // The first one starts alone, so that an error that all of them would have is reported once.
  const url = await start();
  await Promise.all(Array.from({ length: config.processes - 1 }, start));
  return url;
}

function fork(port: number, databaseUrl: string): Worker {
  const own = { PORT: String(port), DATABASE_URL: databaseUrl, GIFTWIRE_PROCESSES: '1', GIFTWIRE_DEMO: '0' };
  // The node's own may come from files, and a setting that is given twice is refused.
  const files = Object.fromEntries(Object.keys(own).map((name) => [`${name}_FILE`, '']));
  return cluster.fork({ ...own, ...files });
}

function answerMetrics(child: Worker, readMetrics: () => Promise<string>, log: Logger): void {
  const answer = (text: string) => child.isConnected() && child.send({ kind: 'metrics', text } satisfies ToChild);
  child.on('message', ({ kind }: FromChild) => {
    if (kind === 'metrics')
      readMetrics().then(answer, (error) => log.warn({ err: error }, 'Metrics are not complete.'));
  });
}

/** Tries until a start succeeds. */
async function startAgain(start: () => Promise<string>, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await sleep(replaceAfterMs, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted || (await succeeds(start()))) return;
  }
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** Tells the parent process, if there is one, that this process is ready. */
export function reportReady(url: string): void {
  process.send?.({ kind: 'ready', url } satisfies FromChild);
}

/** Called in one of several processes: asks the parent process for the summed metrics of all. */
export function readSumOfMetrics(): Promise<string> {
  return new Promise((resolve, reject) => {
    const settle = (conclude: () => void) => {
      clearTimeout(tooLate);
      process.off('message', hear);
      conclude();
    };
    const hear = (message: unknown) => {
      const { kind, text } = message as ToChild;
      if (kind === 'metrics') settle(() => resolve(text));
    };
    const tooLate = setTimeout(() => settle(() => reject(unavailable())), answerTimeoutMs);
    process.on('message', hear);
    process.send?.({ kind: 'metrics' } satisfies FromChild);
  });
}

/** Checks that no other process listens on the port: the processes share it, so a second service could share it by accident. */
async function findPort(config: Config): Promise<number> {
  const probe = createServer().listen({ host: config.host, port: config.port });
  await once(probe, 'listening').catch((error) => {
    throw listenFailure(error, config);
  });
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

function readiness(child: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: FromChild) => {
      if (message.kind === 'ready') resolve(message.url);
    });
    child.once('exit', () => reject(new Failure('setup', 'A process of the service did not start.')));
  });
}

async function end(child: Worker): Promise<void> {
  if (child.isDead()) return;
  child.process.kill('SIGTERM');
  await once(child, 'exit');
}
