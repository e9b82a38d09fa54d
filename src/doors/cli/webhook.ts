import { type Command, Option } from 'commander';
import { checkWebhookUrl } from '../../company/events/webhooks/address.ts';
import { listAttempts } from '../../company/events/webhooks/attempts.ts';
import { createGuardedAgent } from '../../company/events/webhooks/connector.ts';
import {
  addWebhook,
  changeWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  rotateSecret,
  type StoredWebhook,
} from '../../company/events/webhooks/endpoints.ts';
import { networksOf } from '../../company/events/webhooks/networks.ts';
import { replayEvents } from '../../company/events/webhooks/replay.ts';
import { webhookSecret } from '../../company/events/webhooks/signature.ts';
import { tryWebhook } from '../../company/events/webhooks/try.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import { deriveSecret, loadKeys } from '../../giving/gifts/token-keys.ts';
import type { EventType } from '../../ground/contract/event.ts';
import type {
  NewWebhook,
  Webhook,
  WebhookAttempt,
  WebhookChange,
  WebhookReplay,
} from '../../ground/contract/webhook.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { forWorkspace, nameText, positiveInteger, webAddress } from './arguments.ts';
import { giftwire } from './call.ts';
import { eventTypeList } from './event-arguments.ts';
import { cell, fields, print, table } from './output.ts';
import { withDatabase, withDatabaseOf } from './session.ts';

interface Options {
  workspace: number;
  url?: string;
  types?: EventType[];
  ordering?: 'none' | 'strict';
  strict?: true;
  description?: string;
  type?: EventType[];
  size?: number;
  event?: string;
  from?: number;
  json?: boolean;
}

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('post events to other systems: add, try, repair endpoints');

  forWorkspace(webhook.command('list').description('list the webhooks of a workspace')).action(
    async ({ workspace, json }: Options) => {
      const webhooks = await withDatabaseOf(workspace, (database) => listWebhooks(database, workspace));
      print(json, webhooks.map(withoutVersions), () => listed(webhooks, workspace));
    },
  );

  forWorkspace(webhook.command('create').description('add a webhook; it gets the events from now on'))
    .argument('<url>', 'where events are posted to', webAddress)
    .option('--types <list>', 'only these types, with commas (default: all)', eventTypeList)
    .option('--strict', 'post one event after the other; one that fails holds up the next')
    .option('--description <text>', 'what it is for', nameText)
    .action(async (url: string, options: Options) => {
      const wanted: NewWebhook = { url, ...chosen(options), ...(options.strict && { ordering: 'strict' as const }) };
      const added = await change({ ...options, url }, (tx, { workspace, keyVersion }) =>
        addWebhook(tx, atTheCommandLine, workspace, wanted, keyVersion),
      );
      print(
        options.json,
        added,
        () => `${describe(added)}\n\nKeep the secret now: receivers verify signatures with it.`,
      );
    });

  one(webhook.command('update').description('change where events are posted to, or which'))
    .option('--url <url>', 'where events are posted to', webAddress)
    .option('--types <list>', 'only these types, with commas', eventTypeList)
    .addOption(new Option('--ordering <how>', 'strict: one event after the other').choices(['none', 'strict']))
    .option('--description <text>', 'what it is for', nameText)
    .action(async (id: number, options: Options) => {
      const wanted: WebhookChange = { ...chosen(options), ...(options.url !== undefined && { url: options.url }) };
      const changed = await change(options, (tx, { workspace }) =>
        changeWebhook(tx, atTheCommandLine, workspace, id, wanted),
      );
      print(options.json, withoutSecret(changed), () => describe(withoutSecret(changed)));
    });

  one(webhook.command('rotate').description('create a new secret; both sign for 24 hours')).action(
    async (id: number, options: Options) => {
      const rotated = await change(options, (tx, { workspace, keyVersion }) =>
        rotateSecret(tx, atTheCommandLine, workspace, id, keyVersion),
      );
      print(options.json, rotated, () => `${describe(rotated)}\n\nThe secret before it works for 24 hours more.`);
    },
  );

  one(webhook.command('enable').description('resume delivery with the first undelivered event')).action(
    async (id: number, options: Options) => {
      const enabled = await change(options, (tx, { workspace }) => enableWebhook(tx, atTheCommandLine, workspace, id));
      print(options.json, withoutSecret(enabled), () => `Webhook ${id} gets events again.`);
    },
  );

  one(webhook.command('disable').description('deliver nothing until it is enabled again')).action(
    async (id: number, options: Options) => {
      const disabled = await change(options, (tx, { workspace }) =>
        disableWebhook(tx, atTheCommandLine, workspace, id, 'BY_HAND'),
      );
      print(options.json, withoutSecret(disabled), () => `Webhook ${id} gets no events until it is enabled again.`);
    },
  );

  one(webhook.command('delete').description('remove a webhook with its attempts')).action(
    async (id: number, { workspace, json }: Options) => {
      await withDatabase((database) =>
        inWorkspace(database, workspace, (tx) => deleteWebhook(tx, atTheCommandLine, workspace, id)),
      );
      print(json, { id, deleted: true }, () => `Webhook ${id} is deleted.`);
    },
  );

  one(webhook.command('test').description('post a sample event now and show the answer'))
    .option('--type <type>', 'the type of the sample (default: order.completed)', eventTypeList)
    .action(async (id: number, { workspace, type = ['order.completed'], json }: Options) => {
      const attempt = await withDatabase(async (database, config) => {
        const agent = createGuardedAgent({ networks: networksOf(config) });
        const keys = await loadKeys(config.tokenKeys, config.dataDir, database);
        const endpoint = { workspaceId: workspace, ...(await findWebhook(database, workspace, id)) };
        return tryWebhook(agent, endpoint, deriveSecret(keys), type[0] as EventType).finally(() => agent.close());
      });
      print(json, attempt, () => describeAttempt(attempt));
      if (!attempt.succeeded) process.exitCode = 1;
    });

  one(webhook.command('attempts').description('show the latest attempts, with status, time and answer'))
    .option('--size <n>', 'how many', positiveInteger, 20)
    .action(async (id: number, { workspace, size = 20, json }: Options) => {
      const attempts = await withDatabase(async (database) => {
        await findWebhook(database, workspace, id);
        return listAttempts(database, workspace, id, size);
      });
      print(json, attempts, () => (attempts.length === 0 ? 'Nothing was posted yet.' : attemptTable(attempts)));
    });

  one(webhook.command('replay').description('post one event, or everything from a number, once more'))
    .option('--event <id>', 'one event, for example evt_1_42')
    .option('--from <number>', 'everything from this number', positiveInteger)
    .action(async (id: number, { workspace, event, from, json }: Options) => {
      const wanted: WebhookReplay = {
        ...(event !== undefined && { eventId: event }),
        ...(from !== undefined && { from }),
      };
      if ((event === undefined) === (from === undefined))
        throw new Failure(
          'invalid',
          'Name either --event evt_1_42, for one event, or --from 40, for everything from it.',
        );
      await withDatabase((database) =>
        inWorkspace(database, workspace, (tx) => replayEvents(tx, atTheCommandLine, workspace, id, wanted)),
      );
      print(json, { id, ...wanted }, () => `Webhook ${id} gets ${event ?? `everything from ${from}`} once more.`);
    });
}

/** Changes a webhook in a transaction that holds the workspace's lock, and shows it with its secret. */
async function change(
  { workspace, url }: Options,
  work: (tx: Queryable, known: { workspace: number; keyVersion: number }) => Promise<StoredWebhook>,
): Promise<Webhook & { secret: string }> {
  return withDatabaseOf(workspace, async (database, config) => {
    if (url !== undefined) await checkWebhookUrl(url, networksOf(config));
    const keys = await loadKeys(config.tokenKeys, config.dataDir, database);
    const changed = await inWorkspace(database, workspace, (tx) => work(tx, { workspace, keyVersion: keys.current }));
    const secret = webhookSecret(deriveSecret(keys), { workspaceId: workspace, ...changed });
    return { ...withoutVersions(changed), secret };
  });
}

function withoutVersions({
  keyVersion: _key,
  secretVersion: _secret,
  rotatedAt: _at,
  secretSalt: _salt,
  previousSalt: _previousSalt,
  history: _history,
  readAt: _now,
  ...webhook
}: StoredWebhook) {
  return webhook;
}

function withoutSecret<W extends { secret: string }>({ secret: _secret, ...webhook }: W) {
  return webhook;
}

function chosen({ types, ordering, description }: Options) {
  return {
    ...(types && { types }),
    ...(ordering && { ordering }),
    ...(description !== undefined && { description }),
  };
}

function one(command: Command): Command {
  return forWorkspace(command.argument('<id>', 'its id', positiveInteger));
}

function listed(webhooks: readonly Webhook[], workspace: number): string {
  if (webhooks.length === 0)
    return `There is no webhook yet: ${giftwire} webhook create https://hooks.example.com/giftwire --workspace ${workspace}`;
  return table(
    ['Id', 'Address', 'Types', 'State', 'Delivered through', 'Waiting'],
    webhooks.map((w) => [w.id, w.url, typesOf(w), state(w), w.deliveredThrough, w.waitingRetries]),
  );
}

function typesOf({ types }: Webhook): string {
  return types.length === 0 ? 'all' : types.join(', ');
}

function state({ enabled, disabledReason, failingSince }: Webhook): string {
  if (!enabled) return `disabled (${disabledReason})`;
  return failingSince === null ? 'well' : `failing since ${cell(failingSince)}`;
}

function describe(webhook: Webhook & { secret?: string }): string {
  const { id, url, description, ordering, secret } = webhook;
  return fields({
    id,
    url,
    types: typesOf(webhook),
    ordering,
    state: state(webhook),
    ...(description && { description }),
    ...(secret && { secret }),
  });
}

function describeAttempt({ succeeded, status, durationMs, error, answer }: Omit<WebhookAttempt, 'eventId'>): string {
  return fields({ outcome: succeeded ? 'taken' : error, status, ms: durationMs, answer: answer ?? '' });
}

function attemptTable(attempts: readonly WebhookAttempt[]): string {
  return table(
    ['When', 'Event', 'Outcome', 'Status', 'ms', 'Answer'],
    attempts.map((a) => [
      new Date(a.attemptedAt),
      a.eventId,
      a.succeeded ? 'taken' : a.error,
      a.status,
      a.durationMs,
      (a.answer ?? '').slice(0, 60),
    ]),
  );
}
