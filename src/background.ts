import type { Logger } from 'pino';
import type { createGuardedAgent } from './company/events/webhooks/connector.ts';
import { WebhookDispatcher } from './company/events/webhooks/dispatcher.ts';
import { letterheadOf } from './giving/delivery/compose/message.ts';
import type { Rush } from './giving/delivery/send/rush.ts';
import { MailSender } from './giving/delivery/send/sender.ts';
import { openTransport } from './giving/delivery/send/transport.ts';
import { deriveSecret, type GiftTokenKeys } from './giving/gifts/token-keys.ts';
import { Acceptance } from './giving/orders/accept.ts';
import { Fulfilment } from './giving/orders/fulfilment.ts';
import { readPendingLines } from './giving/orders/pending-lines.ts';
import { ordersChannel } from './giving/orders/queue.ts';
import { wakeNamed } from './giving/orders/wake-up.ts';
import { Shoutouts } from './giving/recognition/give.ts';
import type { Config } from './ground/config/config.ts';
import type { Database } from './ground/database/database.ts';
import { Listener } from './ground/database/listener.ts';
import { type ConnectionPool, pools } from './ground/database/pools.ts';
import { checkSchema } from './ground/database/schema.ts';
import { startWorker, type Worker } from './ground/jobs/worker.ts';
import type { Metrics } from './ground/metrics.ts';
import { recurringWork } from './recurring.ts';
import type { Steps } from './steps.ts';

export interface BackgroundParts {
  config: Config;
  databaseUrl: string;
  keys: GiftTokenKeys;
  log: Logger;
  /** What is opened is added here. */
  opened: AsyncDisposableStack;
  open(pool: ConnectionPool): Database;
  metrics: Metrics;
  steps: Steps;
  rush: Rush;
  /** The HTTP client of webhooks. */
  agent: ReturnType<typeof createGuardedAgent>;
}

function startDispatcher(parts: BackgroundParts): WebhookDispatcher {
  const { keys, log, opened, open, metrics, agent } = parts;
  const dispatcher = new WebhookDispatcher({
    database: open(pools.webhooks),
    agent,
    deriveSecret: deriveSecret(keys),
    onAttempts(succeeded, failed) {
      metrics.webhookAttempts.inc({ outcome: 'taken' }, succeeded);
      metrics.webhookAttempts.inc({ outcome: 'failed' }, failed);
    },
    onDisabled({ workspaceId, id }, reason) {
      metrics.webhooksDisabled.inc();
      log.warn({ workspaceId, webhookId: id, reason }, 'A webhook was disabled.');
    },
    onProblem: (error) => log.warn({ err: error }, 'Webhooks could not be delivered and will be tried again.'),
  });
  return opened.adopt(dispatcher, (one) => one.stop());
}

/** Sends emails from the moment on at which it is known where the service listens: links may begin with that address. */
export async function startSender(parts: BackgroundParts, url: string): Promise<MailSender> {
  const { config, keys, log, opened, open, metrics, rush } = parts;
  const sender = new MailSender({
    database: open(pools.mails),
    letterhead: letterheadOf(config, keys, url),
    transport: await openTransport(config),
    rush,
    perMinute: config.mailPerMinute,
    onWritten(results) {
      for (const { mail, outcome, waitedSeconds } of results) {
        metrics.mails.inc({ outcome: outcome.is });
        if (outcome.is === 'sent' && mail.attempts === 0) metrics.mailWait.observe(waitedSeconds);
      }
    },
    onUnreachable(answer, resumeAt) {
      metrics.mailServerFailures.inc();
      log.warn({ answer, resumeAt }, 'The mail server could not be used. All senders pause.');
    },
    onProblem: (error) => log.warn({ err: error }, 'Emails could not be sent and will be tried again.'),
  });
  return opened.adopt(sender, (one) => one.stop());
}

/** `stopSending` is called with the other work when a newer version has changed the schema. */
export function createWorker(parts: BackgroundParts, stopSending: () => void): Worker {
  const { config, databaseUrl, keys, log, opened, open, steps } = parts;
  const database = open(pools.jobs);
  const fulfilment = createFulfilment(database, keys, steps, log);
  // Stopped after the recurring work, which wakes it.
  opened.defer(() => fulfilment.stop());
  const dispatcher = startDispatcher(parts);
  const stopWorking = () => {
    void dispatcher.stop();
    stopSending();
    void worker.stop().then(() => fulfilment.stop());
  };
  const bulkActions = { database, keys, isMailOn: config.mailServer !== 'off' };
  const automations = {
    database,
    acceptance: new Acceptance(database, steps.accept),
    shoutouts: new Shoutouts(database, readPendingLines, steps.shoutouts),
    emailManagers: steps.emailManagers,
  };
  const work = recurringWork({ config, database, bulkActions, automations, fulfilment, steps, log, stopWorking });
  const worker = opened.adopt(startWorker(work, log), (one) => one.stop());
  // What a wake-up could not read, the next search for forgotten orders finds.
  const wake = (names: string | null) => void wakeNamed(fulfilment, names).catch(() => {});
  opened.adopt(new Listener(databaseUrl, ordersChannel, wake), (listener) => listener.close());
  return worker;
}

function createFulfilment(database: Database, keys: GiftTokenKeys, steps: Steps, log: Logger): Fulfilment {
  return new Fulfilment({
    database,
    keys,
    checkSchema,
    steps: steps.fulfil,
    onPostponed(workspaceId, requestId, error) {
      const what = requestId === null ? 'Orders of a workspace' : 'An order';
      log.warn({ workspaceId, requestId, err: error }, `${what} could not be fulfilled and will be tried again.`);
    },
  });
}
