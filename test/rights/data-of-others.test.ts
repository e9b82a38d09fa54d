import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedCases } from '../../src/ground/contract/feed-moderation.ts';
import { type Colleague, openCompany } from '../support/feed.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { unzip } from '../support/zip.ts';

// What is about a person, and is not theirs to read yet, or never.

const service = await startService({ mailServer: 'outbox', tokenKey: 'k'.repeat(32) });

async function open() {
  const names = ['ada', 'bob', 'approver'];
  const { workspace, people } = await openCompany(service, names, { asksForApproval: true });
  const [ada, bob, approver] = people as [Colleague, Colleague, Colleague];
  const { token } = await service.addToken({ workspaces: [workspace.id], scopes: ['people:erase'] });
  const dataOf = async ({ id }: Colleague) => {
    const answer = await fetch(`${service.url}/api/v1/members/${id}/data`, {
      headers: { Authorization: `Bearer ${token}`, 'X-Workspace-id': String(workspace.id), Accept: 'application/zip' },
    });
    assert.equal(answer.status, 200);
    const files = unzip(Buffer.from(await answer.arrayBuffer()));
    return { all: [...files.values()].join(), data: JSON.parse(files.get('data.json') ?? '') };
  };
  return { workspace, ada, bob, approver, dataOf };
}

test('a shoutout that waits, was declined or was hidden is in the file of its sender alone', async () => {
  const { ada, bob, approver, dataOf } = await open();
  await ada.give([bob.id], { message: 'It waits.', isPrivate: true });
  const declined = await ada.give([bob.id], { message: 'It was declined.' });
  await approver.ask(200, `/shoutouts/${declined.id}/decline`, 'POST', {});
  for (const message of ['It was hidden.', 'It was read.']) {
    const { id } = await ada.give([bob.id], { message });
    await approver.ask(200, `/shoutouts/${id}/approve`, 'POST', {});
    await bob.ask(204, `/feed/posts/${id}/report`, 'POST', {});
    const [found] = (await approver.ask<FeedCases>(200, '/feed/moderation')).cases;
    const verb = message === 'It was hidden.' ? 'hide' : 'keep';
    await approver.ask(200, `/feed/moderation/${found?.id}/${verb}`, 'POST');
  }
  const textsOf = async (person: Colleague) =>
    (await dataOf(person)).data.shoutouts.map(({ text }: { text: string }) => text).sort();
  assert.deepEqual(await textsOf(bob), ['It was read.']);
  assert.deepEqual(await textsOf(ada), ['It waits.', 'It was declined.', 'It was hidden.', 'It was read.'].sort());
});

test('a gift that is to be sent later is no more in the file than in their gifts', async () => {
  const { workspace, bob, dataOf } = await open();
  const recipient = { email: 'bob@example.com' };
  for (const [message, days] of [
    ['For your next birthday', 20],
    ['For today', 0],
  ] as const) {
    const deliverAt = days === 0 ? {} : { deliverAt: new Date(Date.now() + days * 86_400_000).toISOString() };
    const body = anOrder({ ...deliverAt, orderItems: [aGift({ message, recipient })] });
    const { body: sent } = await workspace.call<{ requestId: string }>('/api/v1/orders', { method: 'POST', body });
    await workspace.outcome(sent.requestId);
  }
  const { data, all } = await dataOf(bob);
  assert.deepEqual(
    data['gifts-received'].map(({ message }: { message: string }) => message),
    ['For today'],
  );
  assert.equal(all.includes('birthday</td>'), false);
  assert.equal(JSON.stringify(data.emails).includes('SCHEDULED'), false);
});

test('the file says that a legal hold is on the person, and not why', async () => {
  const { bob, approver, dataOf } = await open();
  await approver.ask(200, `/members/${bob.id}/hold`, 'PUT', { reason: 'Ada has seen the theft.' });
  const { data, all } = await dataOf(bob);
  assert.deepEqual(
    data.requests.map(({ what, state }: { what: string; state: string }) => [what, state]),
    [['legal hold', 'in force']],
  );
  assert.equal(all.includes('theft'), false);
});
