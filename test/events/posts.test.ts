import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { openLog, startDispatcher } from '../support/deliveries.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';

const database = await createTestDatabase();
startDispatcher(database);

const sums = (posts: readonly { succeeded: number; failed: number }[]) => [
  posts.reduce((sum, { succeeded }) => sum + succeeded, 0),
  posts.reduce((sum, { failed }) => sum + failed, 0),
];

test('a webhook says how many attempts have succeeded and failed in each half hour of the past 18 hours', async () => {
  const { add, append, find, hurry } = await openLog(database);
  let status = 204;
  const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
  const { id, posts } = await add({ url: receiver.url });
  assert.equal(posts.length, 36);
  assert.deepEqual(sums(posts), [0, 0]);
  await append(30);
  await eventually(
    () => find(id),
    (webhook) => sums(webhook.posts)[0] === 30,
  );
  status = 500;
  await append(1);
  await eventually(
    () => find(id),
    (webhook) => sums(webhook.posts)[1] === 1,
  );
  status = 204;
  const found = await eventually(
    async () => {
      await hurry();
      return find(id);
    },
    ({ waitingRetries }) => waitingRetries === 0,
  );
  assert.deepEqual(sums(found.posts), [31, 1]);
  const moments = found.posts.map(({ startedAt }) => Date.parse(startedAt));
  for (const [nth, moment] of moments.entries()) assert.equal(moment, (moments[0] as number) + nth * 1_800_000);
});

test('counts of half hours that are older than 18 hours go', async () => {
  const { id: workspace, add, append, find } = await openLog(database);
  const receiver = await startReceiver();
  const { id, posts } = await add({ url: receiver.url });
  const latest = Date.parse(posts.at(-1)?.startedAt ?? '') / 1_800_000;
  const stored = [-37, -36, -34, -1].map((ago) => [latest + ago, 5, 1]);
  await database.query('update webhooks set posts = $3 where workspace_id = $1 and id = $2', [
    workspace,
    id,
    JSON.stringify(stored),
  ]);
  assert.deepEqual(sums((await find(id)).posts), [10, 2]);
  await append(1);
  const kept = await eventually(
    () =>
      database.query<{ posts: number[][] }>('select posts from webhooks where workspace_id = $1 and id = $2', [
        workspace,
        id,
      ]),
    ([row]) => row?.posts.length !== 4,
  );
  assert.deepEqual(
    kept[0]?.posts.map(([, ...counts]) => counts),
    [
      [5, 1],
      [5, 1],
      [1, 0],
    ],
  );
});
