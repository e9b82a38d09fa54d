import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { beginRetention, type Retention, runRetention } from '../../src/company/workspaces/retention.ts';
import { expireGifts } from '../../src/giving/delivery/expiry.ts';
import type { AuditVerification } from '../../src/ground/contract/audit.ts';
import type { FeedComment, FeedPost } from '../../src/ground/contract/feed.ts';
import type { OrderRequestStatus } from '../../src/ground/contract/order.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import { retentions } from '../../src/retention.ts';
import { checkLedger } from '../support/budgets.ts';
import { letFail } from '../support/failed-orders.ts';
import { openCompany } from '../support/feed.ts';
import { giftsOf, openGifts } from '../support/gifts.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { claim, offerSpendingOption, spend } from '../support/redemptions.ts';
import { signIn } from '../support/sign-in.ts';

const { service } = await openGifts();
const { database } = service;

let made = 0;

/** Removes all texts of a workspace that may go: as if everything were old. */
async function removeTexts(workspaceId: number, among: readonly Retention[] = retentions): Promise<number> {
  const kinds = ['gift-texts', 'shoutout-texts'];
  const due = among
    .filter(({ kind }) => kinds.includes(kind))
    .map((one) => ({ ...one, runsAs: `${one.runsAs ?? one.kind} ${++made}`, usualDays: 0 }));
  await beginRetention(database, due);
  await database.query('delete from retention_runs where workspace_id <> $1 and kind = any($2::text[])', [
    workspaceId,
    due.map(({ runsAs }) => runsAs),
  ]);
  let removed = 0;
  for (;;) {
    const batch = await runRetention(database, due, 2);
    if (!batch) return removed;
    removed += batch.removed;
  }
}

test('texts of closed gifts go, and orders, repeated requests, reports, files and both chains stay as they are', async () => {
  const { workspace, gift, repaired, setExpiry } = await giftsOf(service);
  await offerSpendingOption(database, workspace.id, 'payroll', { kind: 'PAYROLL', name: 'With the salary' });
  const message = 'Thank you for the night shift';
  const body = anOrder({
    orderItems: ['a', 'b', 'c'].map((name) => aGift({ message, recipient: { email: `${name}@example.com` } })),
  });
  const headers = { 'Idempotency-Key': 'night-shift-1' };
  const send = () => workspace.call<OrderRequestStatus>('/api/v1/orders', { method: 'POST', body, headers });
  const { requestId } = (await send()).body;
  const { certificates } = await workspace.outcome(requestId);
  const [spent, cancelled, open] = certificates.map(({ id }) => id) as [number, number, number];
  await claim(database, workspace.id, spent);
  await spend(database, workspace.id, spent, 'payroll');
  await database.query(`update certificates set thanks = 'A pleasure' where workspace_id = $1 and id = $2`, [
    workspace.id,
    spent,
  ]);
  await repaired(cancelled, 'cancel');
  const totals = await totalsOf(workspace);

  assert.equal(await removeTexts(workspace.id), 2);
  assert.equal((await gift(spent)).message, '…');
  assert.equal((await gift(spent)).thanks, null);
  assert.equal((await gift(cancelled)).message, '…');
  assert.equal((await gift(open)).message, message);
  assert.ok((await bodyOf(requestId)).includes(message), 'one gift of the order is open');

  await setExpiry(open, new Date(Date.now() - 1_000));
  await expireGifts(database);
  assert.equal(await removeTexts(workspace.id), 2, 'the last gift, and the order as it was sent');
  assert.ok(!(await bodyOf(requestId)).includes('night shift'));
  assert.equal(await removeTexts(workspace.id), 0);
  assert.deepEqual(await totalsOf(workspace), totals);
  const again = await send();
  assert.deepEqual([again.status, again.body.requestId], [201, requestId]);
  const other = { ...body, orderItems: [aGift({ message: 'Another one' })] };
  assert.equal((await workspace.call('/api/v1/orders', { method: 'POST', body: other, headers })).status, 422);
  await checkLedger(database);
  assert.deepEqual((await workspace.read<AuditVerification>('/api/v1/audit/verify')).faults, []);
});

const bodyOf = async (requestId: string) => {
  const [row] = await database.query<{ body: string }>(
    'select body::text as body from order_requests where request_id = $1',
    [requestId],
  );
  return row?.body ?? '';
};

async function totalsOf(workspace: { read: <Body>(path: string) => Promise<Body> }) {
  const activity = await workspace.read<{ totalElements: number }>('/api/v1/reports/teams/activity');
  const members = await workspace.read<object>('/api/v1/reports/members/last-recognized');
  const redemptions = await workspace.read<object>('/api/v1/redemptions');
  return { activities: activity.totalElements, members, redemptions };
}

test('an order that has failed keeps its texts, because it can be tried again', async () => {
  const { workspace } = await giftsOf(service);
  const order = anOrder({ orderItems: [aGift({ message: 'Well done' })] });
  const id = await inWorkspace(database, workspace.id, async (tx, moment) => {
    const { body } = await workspace.call<OrderRequestStatus>('/api/v1/orders', { method: 'POST', body: order });
    await letFail(tx, workspace.id, moment, body.requestId);
    return body.requestId;
  });
  assert.equal((await workspace.finished(id)).requestStatus, 'FAILED');
  await removeTexts(
    workspace.id,
    retentions.filter(({ runsAs }) => runsAs === 'gift-texts-in-orders'),
  );
  assert.ok((await bodyOf(id)).includes('Well done'));
});

test('texts of shoutouts, comments and thank-you notes go, and one that waits for approval keeps its text', async () => {
  const { workspace, people } = await openCompany(service, ['ana', 'ben'], { asksForApproval: true });
  const [ana, ben] = people as [(typeof people)[number], (typeof people)[number]];
  const post = await ana.give([ben.id], { message: 'Thanks for the demo' });
  await workspace.call(`/api/v1/shoutouts/${post.id}/approve`, { method: 'POST' });
  const { id: comment } = await ben.ask<FeedComment>(201, `/feed/posts/${post.id}/comments`, 'POST', {
    text: 'It was fun',
  });
  await ben.ask(201, `/me/shoutouts/${post.id}/thank`, 'POST', { text: 'Any time' });
  await ana.give([ben.id], { message: 'Not yet seen' });
  const before = await workspace.read<{ totalElements: number }>('/api/v1/reports/teams/activity');
  await removeTexts(workspace.id);
  const shown = await ana.ask<FeedPost>(200, `/feed/posts/${post.id}`);
  assert.equal(shown.message, '…');
  const comments = await ana.ask<{ comments: FeedComment[] }>(200, `/feed/posts/${post.id}/comments`);
  assert.deepEqual(
    comments.comments.map(({ id, text }) => [id, text]),
    [[comment, '…']],
  );
  const left = await textsOf(database, workspace.id);
  assert.ok(!/demo|It was fun|Any time/.test(left), left);
  assert.match(left, /Not yet seen/);
  const after = await workspace.read<{ totalElements: number }>('/api/v1/reports/teams/activity');
  assert.equal(after.totalElements, before.totalElements);
});

async function textsOf(on: Queryable, workspaceId: number): Promise<string> {
  const [row] = await on.query<{ texts: string }>(
    `select concat((select string_agg(description, ' ') from activities where workspace_id = $1),
                   (select string_agg(text, ' ') from feed_comments where workspace_id = $1),
                   (select string_agg(text, ' ') from feed_thanks where workspace_id = $1),
                   (select string_agg(body::text, ' ') from shoutouts s
                     where workspace_id = $1
                       and number in (select number from activities where workspace_id = $1 and status <> 'PENDING'))) as texts`,
    [workspaceId],
  );
  return row?.texts ?? '';
}

test('the API lists every kind with its default and its reason, sets days, and counts what the next run removes', async () => {
  const { workspace } = await giftsOf(service);
  const path = '/api/v1/settings/retention';
  const { call } = await signIn(service, { workspace: workspace.id, role: 'OWNER', email: 'owner@example.com' });
  await signIn(service, { workspace: workspace.id, role: 'AUDITOR', email: 'gone@example.com' });
  await database.query(
    `update sessions set revoked_at = now() - interval '8 days'
      where user_id = (select id from users where email = 'gone@example.com')`,
  );
  const list = await call<{ kinds: Record<string, unknown>[] }>(path);
  assert.equal(list.status, 200);
  const texts = list.body.kinds.find(({ kind }) => kind === 'gift-texts');
  assert.deepEqual([texts?.days, texts?.usualDays, texts?.isUsual, texts?.leastDays], [null, null, true, 30]);
  assert.ok(list.body.kinds.every(({ what, why }) => what && why));
  const set = (kinds: object[]) =>
    call<{ kinds: typeof list.body.kinds }>(path, { method: 'PATCH', body: { changes: kinds } });
  for (const wrong of [
    [{ kind: 'gift-texts', days: 1 }],
    [{ kind: 'sign-ins', days: null }],
    [{ kind: 'orders', days: 40 }],
  ])
    assert.equal((await set(wrong)).status, 400, JSON.stringify(wrong));
  await service.database.query('delete from retention_runs where workspace_id = $1', [workspace.id]);
  const changed = await set([{ kind: 'gift-texts', days: 365 }, { kind: 'sign-ins', days: 7 }, { kind: 'emails' }]);
  assert.equal(changed.status, 200);
  const days = Object.fromEntries(changed.body.kinds.map((one) => [one.kind, one.days]));
  assert.deepEqual([days['gift-texts'], days['sign-ins'], days.emails], [365, 7, 730]);
  const preview = await call<{ due: { kind: string; rows: number }[] }>(`${path}/preview`);
  assert.deepEqual(
    preview.body.due.filter(({ rows }) => rows > 0),
    [{ kind: 'sign-ins', rows: 1 }],
  );
});

test('ended sessions go after the days that a workspace has set, and open ones stay', async () => {
  const { workspace } = await giftsOf(service);
  for (const email of ['ended@example.com', 'open@example.com'])
    await signIn(service, { workspace: workspace.id, role: 'AUDITOR', email });
  await database.query(
    `update sessions set revoked_at = now() - interval '3 days'
      where user_id = (select id from users where email = 'ended@example.com')`,
  );
  const [signIns] = retentions.filter(({ kind }) => kind === 'sign-ins') as [Retention];
  const due = { ...signIns, runsAs: `sign-ins ${++made}`, usualDays: 2 };
  await beginRetention(database, [due]);
  while (await runRetention(database, [due]));
  const left = await database.query<{ email: string }>(
    `select u.email from sessions s join users u on u.id = s.user_id where u.email in ('ended@example.com', 'open@example.com')`,
  );
  assert.deepEqual(left, [{ email: 'open@example.com' }]);
});

test('removing texts takes no lock of the workspace', async () => {
  const { workspace, issue, setState } = await giftsOf(service);
  const [id] = (await issue({ email: 'a@example.com' })) as [number];
  await setState(id, 'CANCELLED');
  await database.transaction(async (tx) => {
    await tx.query('select from activity_counters where workspace_id = $1 for update', [workspace.id]);
    await tx.query('select from workspaces where id = $1 for no key update', [workspace.id]);
    assert.equal(await removeTexts(workspace.id), 2);
  });
});
