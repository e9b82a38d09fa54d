import { createHmac } from 'node:crypto';
import { appendEvents } from '../../src/company/events/log.ts';
import { createGuardedAgent } from '../../src/company/events/webhooks/connector.ts';
import { type DispatcherOptions, WebhookDispatcher } from '../../src/company/events/webhooks/dispatcher.ts';
import { addWebhook, findWebhook } from '../../src/company/events/webhooks/endpoints.ts';
import { type Lookup, lookUpHost } from '../../src/company/events/webhooks/lookup.ts';
import type { DeriveSecret } from '../../src/company/events/webhooks/signature.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { createWorkspace } from '../../src/company/workspaces/workspaces.ts';
import type { NewEvent } from '../../src/ground/contract/event.ts';
import type { NewWebhook } from '../../src/ground/contract/webhook.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { cleanUp } from './cleanup.ts';

export const deriveSecret: DeriveSecret = (purpose, keyVersion) =>
  createHmac('sha256', `key ${keyVersion}`).update(purpose).digest();

/** Delivers the events of a database, also to this machine. It stops when the file's tests are over. */
export function startDispatcher(
  database: Database,
  { lookup = lookUpHost, ...options }: Partial<DispatcherOptions> & { lookup?: Lookup } = {},
): WebhookDispatcher {
  const agent = createGuardedAgent({ networks: { allowsLoopback: true, opened: [] }, lookup });
  const dispatcher = new WebhookDispatcher({
    database,
    agent,
    deriveSecret,
    onAttempts: () => {},
    onDisabled: () => {},
    onProblem: (error) => console.error(error),
    ...options,
  });
  cleanUp(() => dispatcher.stop().then(() => agent.destroy()));
  return dispatcher;
}

/** A workspace with an empty log. */
export async function openLog(database: Database) {
  const workspace = { name: 'Acme', language: 'EN_CA', refusesUnknownEmployeeNumbers: false };
  const { id } = await database.transaction((tx) => createWorkspace(tx, theService, workspace));
  return {
    id,
    add: (webhook: NewWebhook) => inWorkspace(database, id, (tx) => addWebhook(tx, theService, id, webhook, 1)),
    find: (webhookId: number) => findWebhook(database, id, webhookId),
    append: (count: number, type: 'member.added' | 'member.left' = 'member.added') =>
      inWorkspace(database, id, (tx) =>
        appendEvents(
          tx,
          id,
          new Date(),
          Array.from({ length: count }, (_, nth): NewEvent => ({ type, data: { id: nth + 1 } })),
        ),
      ),
    /** Lets retries that wait become due. */
    hurry: () => database.query('update webhook_retries set next_at = now() where workspace_id = $1', [id]),
  };
}
