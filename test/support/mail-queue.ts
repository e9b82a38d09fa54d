import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { readGiftsById } from '../../src/giving/gifts/gift.ts';
import { eventually } from './eventually.ts';
import type { TestService } from './service.ts';

/** What a service needs to send mails to a test's mail server. */
export function mailSettings(mailServer: string) {
  return { mailServer, mailFrom: 'gifts@acme.example', mailBounces: 'bounces@acme.example' };
}

export interface MailRow {
  kind: string;
  nth: number;
  edition: number;
  state: string;
  attempts: number;
  dueAt: Date;
}

/** Orders a gift for each address and waits until the order is fulfilled. */
export async function orderGifts(service: TestService, addresses: readonly string[], message = 'Thank you!') {
  const orderItems = addresses.map((email) => ({ message, amount: 25, recipient: { email, firstName: 'Mei' } }));
  const { certificates } = await service.fulfilled({ orderItems, currency: 'CAD' });
  return readGiftsById(
    service.database,
    service.workspaceId,
    certificates.map(({ id }) => id),
  );
}

/** The mails about a gift, as they are written down. */
export function mailsOf({ database }: TestService, giftId: number): Promise<MailRow[]> {
  return database.query<MailRow>(
    `select q.kind, q.nth, q.edition, q.state, q.attempts, q.due_at as "dueAt"
       from mails q
       join certificates c using (workspace_id, request_id, position)
      where c.id = $1
      order by q.kind, q.edition, q.nth`,
    [giftId],
  );
}

/** Waits until the mails about a gift have these states, each written as `GIFT SENT`. */
export async function mailStates(service: TestService, giftId: number, states: readonly string[]): Promise<MailRow[]> {
  const wanted = [...states].sort().join(', ');
  const shown = (rows: readonly MailRow[]) =>
    rows
      .map(({ kind, state }) => `${kind} ${state}`)
      .sort()
      .join(', ');
  return eventually(
    () => mailsOf(service, giftId),
    (rows) => shown(rows) === wanted,
  );
}

/** What happened to a gift. */
export function giftLog({ database }: TestService, giftId: number) {
  return database.query<{ type: string; detail: Record<string, unknown> }>(
    `select l.type, l.detail
       from gift_log l
       join certificates c using (workspace_id, request_id, position)
      where c.id = $1
      order by l.id`,
    [giftId],
  );
}

const day = 86_400;

export async function passDays({ database, workspaceId }: TestService, days: number): Promise<void> {
  await database.transaction((tx) => advanceClock(tx, workspaceId, days * day));
}
