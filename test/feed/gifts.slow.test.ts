import assert from 'node:assert/strict';
import { test } from 'node:test';
import { theService } from '../../src/company/workspaces/audit.ts';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { inWorkspace, lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { announceWaiting } from '../../src/giving/approvals/announce.ts';
import { declineOrders } from '../../src/giving/approvals/outcomes.ts';
import { readApprovalRows } from '../../src/giving/approvals/read.ts';
import type { FeedPost } from '../../src/ground/contract/feed.ts';
import type { MyGiftPage } from '../../src/ground/contract/my-gift.ts';
import type { MyGiving, PostGiftCheck } from '../../src/ground/contract/post-gift.ts';
import { appendOrderEvents, settle } from '../../src/steps.ts';
import { asEmployee, asPeopleTeam, letIn } from '../support/employees.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const names = ['ada', 'bob', 'cleo', 'dan'];

interface Settings {
  cap?: number | null;
  amount?: number;
  feedShowsGifts?: boolean;
  asksForApproval?: boolean;
}

/** A company whose employees give gifts from the workspace's budget, each up to a cap in a month. */
async function openCompany({ cap = 20, amount = 1_000, feedShowsGifts = false, ...opening }: Settings = {}) {
  const people = names.map((name, nth) => ({
    email: `${name}@example.com`,
    employeeNumber: String(nth),
    firstName: name,
  }));
  const workspace = await openWorkspace(service, { people, ...opening });
  await letIn(service, { access: 'ALL', givesGifts: true, feedShowsGifts }, workspace.id);
  const team = <Body>(request: string, body?: unknown) => asPeopleTeam<Body>(service, request, body, workspace.id);
  const { status } = await team('POST /budgets', { currency: 'CAD', amount, personCap: cap });
  assert.equal(status, 201);
  const open = async (nth: number) => {
    const id = workspace.memberIds[nth] as number;
    const { call } = await asEmployee(service, id, workspace.id);
    const ask = async <Body>(status: number, path: string, method = 'GET', body?: object): Promise<Body> => {
      const answer = await call<Body>(`/api/v1${path}`, { method, ...(body && { body }) });
      assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const postTo = (to: readonly { id: number }[], gift: object, more: object = {}) => ({
      to: to.map((one) => ({ memberId: one.id })),
      message: 'Thank you!',
      gift: { currency: 'CAD', ...gift },
      ...more,
    });
    return {
      id,
      ask,
      give: (to: readonly { id: number }[], amount: number, more: object = {}) =>
        ask<FeedPost>(201, '/feed/posts', 'POST', postTo(to, { amount }, more)),
      refuse: (status: number, to: readonly { id: number }[], amount: number, more: object = {}) =>
        ask<{ message: string }>(status, '/feed/posts', 'POST', postTo(to, { amount }, more)),
      try: (to: readonly { id: number }[], amount: number) =>
        ask<PostGiftCheck>(200, '/feed/posts/check', 'POST', postTo(to, { amount })),
      left: async () => (await ask<MyGiving>(200, '/feed/giving')).giving.map((one) => one.left),
      read: (id: number) => ask<FeedPost>(200, `/feed/posts/${id}`),
      settled: (id: number) =>
        eventually(
          async () => (await call<FeedPost>(`/api/v1/feed/posts/${id}`)).body,
          (post) => post.status !== 'PENDING',
        ),
      gifts: () => ask<MyGiftPage>(200, '/me/gifts'),
    };
  };
  const [ada, bob, cleo, dan] = await Promise.all(names.map((_, nth) => open(nth)));
  return { workspace, team, ...({ ada, bob, cleo, dan } as Record<string, Awaited<ReturnType<typeof open>>>) } as {
    workspace: typeof workspace;
    team: typeof team;
  } & Record<'ada' | 'bob' | 'cleo' | 'dan', Awaited<ReturnType<typeof open>>>;
}

test('a post with a gift: each of its people gets both, and others read no amount and no gift', async () => {
  const { ada, bob, cleo, dan } = await openCompany();
  assert.deepEqual(await ada.left(), [20]);
  const given = await ada.give([bob, cleo], 7.5);
  assert.ok(['PREPARING', 'SENT'].includes(given.gift?.state ?? ''));
  const post = await ada.settled(given.id);
  assert.deepEqual([post.status, post.gift], ['APPROVED', { state: 'SENT', myGiftId: null }]);
  for (const reader of [bob, cleo]) {
    const seen = await reader.read(given.id);
    const { gifts } = await reader.gifts();
    assert.deepEqual([seen.gift?.state, seen.gift?.myGiftId], ['SENT', gifts[0]?.id]);
    assert.equal(gifts.length, 1);
  }
  const seen = await dan.read(given.id);
  assert.equal(seen.gift, null);
  assert.doesNotMatch(JSON.stringify(seen), /7\.5|amount/);
  assert.deepEqual(await ada.left(), [5]);
  assert.deepEqual(await bob.left(), [20]);
});

test('nobody gives more than the cap in a month, also at the same time, and what is refused leaves no post', async () => {
  const { workspace, ada, bob } = await openCompany({ cap: 20 });
  assert.match((await ada.refuse(402, [bob], 20.5)).message, /20\.00 CAD more this month/);
  const answers = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const body = { to: [{ memberId: bob.id }], message: 'Thank you!', gift: { amount: 6, currency: 'CAD' } };
      return ada.ask<FeedPost>(201, '/feed/posts', 'POST', body).catch(() => null);
    }),
  );
  const given = answers.filter((one) => one !== null);
  assert.equal(given.length, 3);
  assert.deepEqual(await ada.left(), [2]);
  for (const { id } of given) await ada.settled(id);
  const { totalElements } = await workspace.activity();
  assert.equal(totalElements, 6, 'three shoutouts and three gifts');
  assert.equal((await bob.gifts()).gifts.length, 3);
});

test('the next month begins with the whole cap, and a budget has a row for those who gave alone', async () => {
  const { workspace, team, ada, bob } = await openCompany();
  await ada.settled((await ada.give([bob], 20)).id);
  assert.deepEqual(await ada.left(), [0]);
  await service.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspace.id);
    await advanceClock(tx, workspace.id, 32 * 86_400);
  });
  assert.deepEqual(await ada.left(), [20]);
  await ada.settled((await ada.give([bob], 20)).id);
  const shares = await service.database.query('select from budget_shares where workspace_id = $1', [workspace.id]);
  assert.equal(shares.length, 2);
  const { body } = await team<{ spent: number }>(`GET /budgets/${await budgetId(workspace.id)}`);
  assert.equal(body.spent, 40);
});

type Person = Awaited<ReturnType<typeof openCompany>>['ada'];

async function budgetId(workspaceId: number): Promise<number> {
  const [row] = await service.database.query<{ id: number }>(
    `select id from budgets where workspace_id = $1 and kind = 'WORKSPACE'`,
    [workspaceId],
  );
  return row?.id ?? 0;
}

const rule = {
  name: 'Gifts of employees',
  measure: 'GIFT',
  currency: 'CAD',
  above: 5,
  from: { role: 'EMPLOYEE' },
  outcome: 'ASK',
  days: 3,
  levels: [{ approvers: [{ is: 'ROLE', role: 'OWNER' }] }],
};

/** Nodes hear of a new rule within a second. */
const ruledBy = (sender: Person, receiver: Person) =>
  eventually(
    () => sender.try([receiver], 6),
    (check) => check.rule !== null,
  );

test('a rule that asks lets the post wait with its gifts, and one decision decides about both', async () => {
  const { workspace, team, ada, bob } = await openCompany();
  const added = await team('POST /rules', rule);
  assert.equal(added.status, 201, JSON.stringify(added.body));
  const expected = { gifts: 1, total: 6, problem: null, rule: 'Gifts of employees' };
  assert.deepEqual(await ruledBy(ada, bob), expected);
  const [approved, declined] = [await ada.give([bob], 6), await ada.give([bob], 7)];
  assert.deepEqual([approved.status, approved.gift?.state], ['PENDING', 'WAITING']);
  await bob.ask(404, `/feed/posts/${approved.id}`);
  assert.deepEqual(await ada.left(), [7]);
  const alone = await team<{ message: string }>(`POST /shoutouts/${approved.id}/approve`);
  assert.deepEqual([alone.status, /waits with its gifts/.test(alone.body.message)], [409, true]);
  await ada.ask(409, `/feed/posts/${approved.id}`, 'DELETE');
  const orderOf = async (post: FeedPost) => {
    const [row] = await service.database.query<{ id: string }>(
      `select g.request_id as id from post_gifts g join shoutouts s on s.workspace_id = g.workspace_id and s.number = g.number
        where g.workspace_id = $1 and s.base + s.number = $2`,
      [workspace.id, post.id],
    );
    return row?.id ?? '';
  };
  const owner = await signIn(service, { workspace: workspace.id, email: 'owner@example.com', role: 'OWNER' });
  const decide = async (post: FeedPost, decision: object) => {
    const body = { requestIds: [await orderOf(post)], ...decision };
    const { status, body: answer } = await owner.call('/api/v1/approvals/decisions', { method: 'POST', body });
    assert.equal(status, 200, JSON.stringify(answer));
  };
  await decide(approved, { decision: 'APPROVED' });
  await decide(declined, { decision: 'DECLINED', comment: 'Not now.' });
  assert.equal((await ada.settled(approved.id)).status, 'APPROVED');
  assert.equal((await ada.settled(declined.id)).gift?.state, 'NOT_SENT');
  assert.equal((await bob.gifts()).gifts.length, 1);
  assert.deepEqual(await ada.left(), [14], 'what was declined can be given again');
  const retried = await team<{ message: string }>(`POST /orders/${await orderOf(declined)}/retry`);
  assert.deepEqual([retried.status, /its sender gives both again/.test(retried.body.message)], [409, true]);
});

test('a workspace that approves shoutouts sends no gift that no one decides about', async () => {
  const { ada, bob } = await openCompany({ asksForApproval: true });
  assert.match((await ada.refuse(409, [bob], 5)).message, /no rule lets this gift wait/);
  assert.match((await ada.try([bob], 5)).problem ?? '', /no rule lets this gift wait/);
  assert.deepEqual(await ada.left(), [20]);
});

test('gifts need the setting, a budget for one person, and a post that is not private', async () => {
  const { workspace, team, ada, bob } = await openCompany({ cap: null });
  assert.deepEqual(await ada.left(), []);
  assert.match((await ada.refuse(402, [bob], 5)).message, /no budget in CAD/);
  await team('POST /budgets', { currency: 'CAD', memberId: ada.id, amount: 10 });
  assert.deepEqual(await ada.left(), [10]);
  assert.match((await ada.refuse(400, [bob], 5, { isPrivate: true })).message, /gift cannot come with a private post/);
  assert.match((await ada.refuse(400, [bob], 5.001)).message, /gift\.amount must have at most 2 decimals/);
  const { id } = await ada.give([bob], 10);
  await ada.settled(id);
  assert.match(
    (await ada.ask<{ message: string }>(409, `/feed/posts/${id}`, 'PATCH', { isPrivate: true })).message,
    /message/,
  );
  await letIn(service, { givesGifts: false }, workspace.id);
  assert.deepEqual(await ada.left(), []);
  assert.match((await ada.refuse(403, [bob], 5)).message, /without gifts/);
});

test('the feed says that a gift came only if sender and workspace show it', async () => {
  for (const [feedShowsGifts, isShown] of [
    [true, true],
    [true, false],
    [false, true],
  ] as const) {
    const { ada, bob, dan } = await openCompany({ feedShowsGifts });
    const post = { to: [{ memberId: bob.id }], message: 'Hi', gift: { amount: 3, currency: 'CAD', isShown } };
    const { id } = await ada.ask<FeedPost>(201, '/feed/posts', 'POST', post);
    await ada.settled(id);
    const { gift } = await dan.read(id);
    assert.deepEqual(gift, feedShowsGifts && isShown ? { state: 'SENT', myGiftId: null } : null);
  }
});

test('a post whose gifts another release has declined follows them', async () => {
  const { workspace, team, ada, bob } = await openCompany();
  await team('POST /rules', rule);
  await ruledBy(ada, bob);
  const { id } = await ada.give([bob], 6);
  const { database } = service;
  // As a node of the release before does it: without the step that settles posts.
  const [row] = await approvalRows(database, workspace.id);
  await inWorkspace(database, workspace.id, async (tx, moment) => {
    await announceWaiting(tx, [], workspace.id, moment);
    const by = { ...noDecision, workspaceId: workspace.id, moment };
    await declineOrders(tx, [appendOrderEvents, settle], by, row ? [row] : []);
  });
  assert.equal((await ada.settled(id)).status, 'DECLINED');
  assert.deepEqual(await ada.left(), [20]);
});

const noDecision = { actor: theService, memberId: null, userId: null, comment: null };

async function approvalRows(database: typeof service.database, workspaceId: number) {
  const waiting = await database.query<{ id: string }>(
    'select request_id as id from order_approvals where workspace_id = $1',
    [workspaceId],
  );
  return database.transaction((tx) =>
    readApprovalRows(
      tx,
      workspaceId,
      waiting.map(({ id }) => id),
    ),
  );
}
