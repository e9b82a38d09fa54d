import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import type { App } from '../../app.ts';
import { buildConsole } from '../../console.ts';
import { type Config, readConfig } from '../../ground/config/config.ts';
import { giftwire } from './call.ts';
import { fields } from './output.ts';

const stopTimeoutMs = 9_500;

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('start the service; settings come from the environment (see "giftwire env")')
    .action(serve);
}

async function serve(): Promise<void> {
  const config = readConfig();
  // Loaded here, so that the other commands need not wait for the whole service.
  const [{ startApp }, { reportReady }, { createLog }] = await Promise.all([
    import('../../app.ts'),
    import('../../processes.ts'),
    import('../../ground/log.ts'),
  ]);
  const log = await createLog(config.logLevel);
  const interrupted = new AbortController();
  process.on('SIGINT', () => interrupted.abort());
  const asked = new Promise<string>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
  });
  const drainMs = drains(config) ? config.drainSeconds * 1_000 : 0;
  // The limit counts from the signal on, also during a start, because a migration has no time limit.
  void asked.then(() => {
    setTimeout(
      () => {
        log.error('Stopping took too long.');
        process.exit(1);
      },
      config.drainSeconds * 1_000 + stopTimeoutMs,
    ).unref();
  });
  // The readers of a test environment's log may sign in: it has the demo's token too. Real data is in no log.
  const wantsLink = !cluster.isWorker && config.role !== 'worker' && config.environment === 'test';
  const app = await startApp(config, log, { wantsLink });
  if (!cluster.isWorker && config.role !== 'worker') await haveConsole(log);
  if (cluster.isWorker) reportReady(app.url);
  else announce(app, config, (message, details) => log.info(details, message));
  const signal = await asked;
  if (drainMs > 0 && !interrupted.signal.aborted) {
    log.info({ signal, seconds: config.drainSeconds }, 'Draining: not ready any more, and still serving.');
    app.drain();
    await sleep(drainMs, undefined, { signal: interrupted.signal }).catch(() => {});
  }
  log.info({ signal }, 'Stopping: finishing what is under way.');
  await app.stop();
  log.info('Stopped.');
  process.exit(0);
}

/** No load balancer sends requests to a worker. The parent of several processes passes the signal on, and each of them drains. */
function drains({ role, processes }: Config): boolean {
  return role !== 'worker' && processes === 1;
}

/** Where scripts may not run at installation, and after an update without one, the console is built here. The API answers meanwhile. */
async function haveConsole(log: Logger): Promise<void> {
  try {
    await buildConsole(() => log.info('Building the web console: a few seconds, this once.'));
  } catch (error) {
    log.warn({ err: error }, 'The web console could not be built. The API works without it.');
  }
}

/** Prints the address and first steps on a terminal; elsewhere, writes them as one log entry. */
function announce(app: App, config: Config, log: (message: string, details: object) => void): void {
  const { url, demo } = app;
  const curl = firstGift(url, demo?.token ?? '$GIFTWIRE_TOKEN');
  const facts = {
    address: url,
    ...(config.role !== 'worker' && { reference: `${url}/docs` }),
    environment: config.environment,
    ...(app.hasWorkspaces && { workspace: 1 }),
    ...(demo && { token: demo.token }),
  };
  const hint = accessHint(app, config);
  if (!process.stdout.isTTY) {
    const link = app.signInLink && { signInLink: app.signInLink };
    log('Giftwire is ready.', config.role === 'worker' ? facts : { ...facts, ...link, hint, curl });
    return;
  }
  const { token, ...shown } = facts;
  const ready = `\n${styleText(['bold', 'green'], 'Giftwire is ready.')}\n`;
  const table = fields({
    ...shown,
    ...(token && { 'token (shown once)': token }),
    ...(app.signInLink && { 'sign in (once, within 15 minutes)': app.signInLink }),
  });
  const firstSteps = [
    `\n${app.hasTokens ? '' : `${hint}\n\n`}${sendText(demo !== null)}\n\n${curl}\n`,
    nextSteps(url, config, app.hasTokens ? hint : null),
  ];
  console.log([ready, table, ...(config.role === 'worker' ? [] : firstSteps)].join('\n'));
}

function sendText(hasToken: boolean): string {
  const variable = hasToken ? '' : ', with GIFTWIRE_TOKEN set to a token';
  return `Send a gift: paste this into another terminal${variable}.`;
}

/** What a newcomer does after the first gift. */
function nextSteps(url: string, { port, mailServer }: Config, hint: string | null): string {
  const setting = port === 8080 ? '' : `PORT=${new URL(url).port} `;
  const steps = {
    ...(mailServer === 'outbox' && { 'See the email': `${setting}${giftwire} outbox open` }),
    'See where it stands': `${giftwire} gift list --workspace 1`,
    'Read and try the API': `open ${url}/docs in a browser`,
    'Check the service': `${setting}${giftwire} doctor`,
    'All commands': `${giftwire} --help`,
    Stop: 'Ctrl-C',
  };
  return `It answers with a requestId. Then:\n\n${fields(steps)}${hint === null ? '' : `\n\n${hint}`}\n`;
}

function accessHint({ hasWorkspaces, hasTokens }: App, { environment }: Config): string {
  const token = `${giftwire} token create --workspace 1 --name "Payroll"`;
  const where = environment === 'production' ? ' (with the same settings as this service)' : '';
  if (!hasWorkspaces)
    return `Create a workspace${where}: ${giftwire} workspace create --name "Acme", then a token: ${token}`;
  return hasTokens ? `More tokens: ${token}` : `Create a token${where}: ${token}`;
}

function firstGift(url: string, token: string): string {
  const order = {
    currency: 'CAD',
    orderItems: [{ message: 'Thank you!', amount: 25, recipient: { email: 'ada@example.com' } }],
  };
  return [
    `curl -sS ${url}/api/v1/orders`,
    `-H "Authorization: Bearer ${token}"`,
    '-H "X-Workspace-id: 1"',
    '-H "Content-Type: application/json"',
    `-d '${JSON.stringify(order)}'`,
    // The answer has no newline at its end, so without this the shell's prompt would follow it on the same line.
    `-w '\\n'`,
  ].join(' ');
}
