import { randomUUID } from 'node:crypto';
import { type Queryable, queryOne, queryOptional } from '../../src/ground/database/database.ts';
import { setRule } from '../support/approvals.ts';
import { askForLine, type Caller } from '../support/callers.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import type { Kind } from '../support/requests.ts';
import type { TestService } from '../support/service.ts';
import type { FuzzCallers } from './callers.ts';

/** Records of one person by kind, and what they can spend their gifts on. */
export type OwnRecords = Partial<Record<Kind, readonly string[]>> & { options: readonly string[]; spending?: string };

/**
 * Gives the manager among the callers what operations about a person's own records need: gifts, of which one is partly spent, shoutouts and comments, a
 * kiosk code, an order that waits for approval and an occurrence that asks for a line. Requests of the round before may have removed any of it, so what
 * is refused is left out.
 */
export async function addOwnRecords(service: TestService, callers: FuzzCallers): Promise<OwnRecords> {
  const { token, manager, managerEmail: email } = callers;
  const { workspace } = manager;
  const asToken = (path: string, body: unknown) =>
    service.call<{ id?: number; requestId?: string }>(`/api/v1/${path}`, { method: 'POST', token, workspace, body });
  const asManager = createCalls(service, manager);
  await service.call('/api/v1/settings', { method: 'PATCH', token, workspace, body: { asksForApproval: false } });
  const gift = aGift({ amount: 40, recipient: { email } });
  const { body: ordered } = await asToken('orders', anOrder({ currency: 'CAD', orderItems: [gift, gift, gift] }));
  const ids = ordered.requestId ? await giftsOf(service.database, workspace, ordered.requestId) : [];
  const offered = await asManager<{ spendingOptions?: { id: string }[] }>('GET', 'me/spending-options');
  const options = (offered.spendingOptions ?? []).map(({ id }) => id);
  if (ids.length > 0) await asManager('POST', `me/gifts/${ids[0]}/claim`);
  const spent = await asManager<{ spendingId?: number }>('POST', 'me/spending', {
    amount: 5,
    currency: 'CAD',
    spendingOption: 'payroll',
  });
  const people = await queryOptional<{ report: number; manager: number }>(
    service.database,
    `select r.id as report, m.id as manager from members m
       join members r on r.workspace_id = m.workspace_id and r.manager_id = m.id
      where m.workspace_id = $1 and m.email = $2 limit 1`,
    [workspace, email],
  );
  const thanks = { to: [{ memberId: people?.report }], message: 'Thank you!' };
  const post = await asManager<{ id?: number }>('POST', 'feed/posts', thanks);
  const comment = await asManager<{ id?: number }>('POST', `feed/posts/${post.id}/comments`, {
    text: 'Well deserved.',
  });
  const received = await asToken('feed/posts', { to: [{ memberId: people?.manager }], message: 'Thank you!' });
  await setRule(service.database, workspace, { name: 'Francs', currency: 'CHF', above: 0 }).catch(() => {});
  await asToken('orders', anOrder({ currency: 'CHF', orderItems: [gift] }));
  const line = people && (await askForLine(service, workspace, people.report, people.manager).catch(() => null));
  const found = (...some: (number | undefined)[]) => some.flatMap((id) => (id === undefined ? [] : [String(id)]));
  return {
    gifts: ids,
    posts: found(post.id, received.body.id),
    comments: found(comment.id),
    occurrences: line ? [line] : [],
    options,
    ...(spent.spendingId !== undefined && { spending: String(spent.spendingId) }),
  };
}

/** The gifts of an order once it is fulfilled; none if a rule holds it. */
async function giftsOf(database: Queryable, workspace: number, requestId: string): Promise<string[]> {
  const found = await eventually(
    () =>
      queryOne<{ isDecided: boolean; ids: string[] }>(
        database,
        `select exists (select from orders where workspace_id = $1 and request_id = $2)
                or exists (select from held_orders where workspace_id = $1 and request_id = $2) as "isDecided",
                array(select id::text from certificates where workspace_id = $1 and request_id = $2 order by id) as ids`,
        [workspace, requestId],
      ),
    ({ isDecided }) => isDecided,
  );
  return found.ids;
}

function createCalls(service: TestService, { headers, workspace }: Caller) {
  return async <Body extends object>(method: string, path: string, body?: unknown): Promise<Partial<Body>> => {
    const call = { method, token: null, workspace, body, headers: { ...headers, 'Idempotency-Key': randomUUID() } };
    const answer = await service.call<Body>(`/api/v1/${path}`, call);
    return answer.status < 300 ? answer.body : {};
  };
}
