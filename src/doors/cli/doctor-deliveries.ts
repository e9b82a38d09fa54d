import { listTroubled, type TroubledWebhook } from '../../company/events/webhooks/attention.ts';
import { readMailBacklog } from '../../giving/delivery/backlog.ts';
import { readFailures } from '../../giving/delivery/send/pace.ts';
import type { Config } from '../../ground/config/config.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { giftwire } from './call.ts';
import type { Finding } from './finding.ts';
import { counted } from './output.ts';

const longestWaitSeconds = 300;
const mostNamed = 5;

/** Emails that are not sent and webhooks that fail, as workers have noted it. Nothing is said of deliveries that work. */
export async function examineDeliveries(database: Queryable, config: Config): Promise<Finding[]> {
  return [...(await examineEmails(database)), ...(await examineWebhooks(database, config))];
}

/** A server that accepts the login can still refuse the sender. */
async function examineEmails(database: Queryable): Promise<Finding[]> {
  const { due, oldestDueSeconds } = await readMailBacklog(database);
  const failures = await readFailures(database);
  if (due === 0 || (failures === 0 && oldestDueSeconds < longestWaitSeconds)) return [];
  const waiting = `${counted(due, 'email')} wait, the oldest for ${Math.round(oldestDueSeconds)} s`;
  const refused = failures === 0 ? '' : `: the mail server could not be used ${counted(failures, 'time')} in a row`;
  const advice =
    failures === 0
      ? 'Does a service with GIFTWIRE_ROLE=all or worker run, and is GIFTWIRE_MAIL_PER_MINUTE high enough?'
      : 'The log line "The mail server could not be used." of the workers has its response. No email is lost.';
  return [{ check: 'emails', ok: false, detail: waiting + refused, advice }];
}

/** The demo has a webhook that fails, so in the test environment this is no problem. */
async function examineWebhooks(database: Queryable, { environment }: Config): Promise<Finding[]> {
  const troubled = await listTroubled(database);
  const [first] = troubled;
  if (!first) return [];
  const named = troubled.slice(0, mostNamed).map(describeWebhook).join('; ');
  const others = troubled.length > mostNamed ? ` and ${troubled.length - mostNamed} more` : '';
  const detail = `${named}${others}`;
  if (environment === 'test') return [{ check: 'webhooks', ok: true, isNote: true, detail }];
  const advice = `"${giftwire} webhook attempts ${first.id} --workspace ${first.workspaceId}" shows the responses. Events are kept and sent later.`;
  return [{ check: 'webhooks', ok: false, detail, advice }];
}

function describeWebhook({ workspaceId, id, since, isDisabled }: TroubledWebhook): string {
  const state = isDisabled ? 'was turned off by Giftwire on' : 'fails since';
  return `webhook ${id} of workspace ${workspaceId} ${state} ${since.toISOString()}`;
}
