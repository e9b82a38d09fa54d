import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDeciders } from '../../src/giving/approvals/deciders.ts';
import { findWaitingFor } from '../../src/giving/approvals/read.ts';
import { openGate } from '../support/approvals.ts';
import { startService } from '../support/service.ts';
import { aShoutout } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

type Gate = Awaited<ReturnType<typeof openGate>>;

/** Copies an order that waits, with everything that belongs to it. The copies are older than it. */
async function copy({ workspace: { id } }: Gate, requestId: string, copies: number, state = 'WAITING'): Promise<void> {
  await database.query('drop table if exists copies', [], 'once');
  await database.query(
    `create table copies as select n, gen_random_uuid() as id from generate_series(1, ${copies}) as n`,
    [],
    'once',
  );
  await database.query(
    `insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name, currency, language, body, accepted_at)
     select workspace_id, copies.id, token_id, sender_id, sender_name, currency, language, body, accepted_at
       from order_requests cross join copies where workspace_id = $1 and request_id = $2`,
    [id, requestId],
  );
  await database.query(
    `insert into order_parties (workspace_id, request_id, askers, recipients, origin)
     select workspace_id, copies.id, askers, recipients, origin
       from order_parties cross join copies where workspace_id = $1 and request_id = $2`,
    [id, requestId],
  );
  await database.query(
    `insert into order_approvals (workspace_id, request_id, rule_id, rule_name, levels, days, state, gifts, total, since, due_at, is_announced)
     select workspace_id, copies.id, rule_id, rule_name, levels, days, $3, gifts, total, since - n * interval '1 second', due_at, true
       from order_approvals cross join copies where workspace_id = $1 and request_id = $2`,
    [id, requestId, state],
  );
}

test('an order is listed for its approver though thousands of others wait longer for other people', async () => {
  const gate = await openGate(service);
  const { users, ids } = gate;
  await gate.changeRule({ levels: [{ approvers: [{ is: 'MEMBER', memberId: ids.elena }] }] });
  await copy(gate, await gate.send(null), 2_100);
  await gate.changeRule({ levels: [{ approvers: [{ is: 'MEMBER', memberId: ids.lucie }] }] });
  const requestId = await gate.send(null);
  const { totalElements, approvals } = await gate.listed(users.lucie);
  assert.deepEqual([totalElements, approvals.map(({ order }) => order?.requestId)], [1, [requestId]]);
  const last = await gate.listed(users.elena, '?size=1000&page=2');
  assert.deepEqual([last.totalElements, last.totalPages, last.approvals.length], [2_101, 3, 101]);
  const times = last.approvals.map(({ askedAt }) => askedAt);
  assert.deepEqual(times, times.toSorted(), 'the oldest first');
  const all = await gate.listed(users.olga, '?mine=false');
  assert.deepEqual([all.totalElements, all.totalIsMinimum], [1_001, true]);
  const deep = await gate.listed(users.olga, '?mine=false&size=1000&page=2');
  assert.deepEqual([deep.totalElements, deep.totalIsMinimum], [2_102, undefined], 'no page follows');
});

test('a list reads no more of what waits than it shows and counts, and nothing that waits for other approvers', async () => {
  const gate = await openGate(service);
  const { workspace, ids } = gate;
  await gate.changeRule({ levels: [{ approvers: [{ is: 'MEMBER', memberId: ids.elena }] }] });
  await copy(gate, await gate.send(null), 2_100);
  const deciders = await readDeciders(database, workspace.id);
  const rowsRead = async (self: number, most: number) => {
    let rows = 0;
    const watched = {
      async query(...asked: Parameters<typeof database.query>) {
        const found = await database.query(...asked);
        rows += found.length;
        return found;
      },
    };
    const found = await findWaitingFor(watched as typeof database, workspace.id, deciders, self, most);
    return [found.length, rows];
  };
  assert.deepEqual(await rowsRead(ids.lucie, 1_001), [0, 1]);
  assert.deepEqual(await rowsRead(ids.elena, 1_001), [1_001, 2_001]);
});

test('decided orders are listed the newest first, and counted up to a limit', async () => {
  const gate = await openGate(service);
  const { users } = gate;
  const [first, second] = [await gate.send(null), await gate.send(null)];
  await copy(gate, first, 1_200, 'APPROVED');
  await gate.decided(users.lucie, [first, second], 'APPROVED');
  const all = await gate.listed(users.olga, '?state=APPROVED&mine=false&size=2');
  assert.deepEqual([all.totalElements, ...all.approvals.map(({ order }) => order?.requestId)], [1_001, second, first]);
  const own = await gate.listed(users.lucie, '?state=APPROVED&size=1&page=1');
  assert.deepEqual([own.totalElements, own.approvals[0]?.order?.requestId], [2, first]);
  assert.equal((await gate.listed(users.elena, '?state=APPROVED')).totalElements, 0);
});

test('senders list what they sent: what waits, and what was decided, with the comment', async () => {
  const gate = await openGate(service);
  const { users } = gate;
  const [declined, waiting] = [await gate.send(users.priya), await gate.send(users.priya)];
  await gate.send(null);
  const sent = async (user: Parameters<typeof gate.listed>[0], state: string) =>
    (await gate.listed(user, `?sent=true&state=${state}`)).approvals.map(({ order }) => order);
  await gate.decided(users.lucie, [declined], 'DECLINED', 'Ask again in spring.');
  assert.deepEqual(
    (await sent(users.priya, 'WAITING')).map((order) => order?.requestId),
    [waiting],
  );
  assert.deepEqual(
    (await sent(users.priya, 'DECLINED')).map((order) => [order?.requestId, order?.decisions[0]?.comment]),
    [[declined, 'Ask again in spring.']],
  );
  assert.deepEqual(await sent(users.lucie, 'DECLINED'), [], 'the approver has sent nothing');
});

test('a list of decided orders reads the index of their states, and one of waiting orders does not read decided ones', async () => {
  const gate = await openGate(service);
  const { id } = gate.workspace;
  await copy(gate, await gate.send(null), 5_000, 'APPROVED');
  await database.query('analyze order_approvals', [], 'once');
  const planOf = async (sql: string) =>
    JSON.stringify(await database.query(`explain (costs off) ${sql}`, [id], 'once'));
  const waiting = await planOf(
    `select * from order_approvals where workspace_id = $1 and state = 'WAITING' order by since, request_id limit 20`,
  );
  assert.match(waiting, /Index Scan.* using order_approvals_(in_state|waiting)/);
  const decided = await planOf(
    `select * from order_approvals where workspace_id = $1 and state = 'APPROVED' order by since desc, request_id desc limit 20`,
  );
  assert.match(decided, /Index Scan Backward using order_approvals_in_state/);
});

test('shoutouts are paged together with orders, and those that the caller gave or received are left out', async () => {
  const gate = await openGate(service);
  const { workspace, users } = gate;
  await workspace.call('/api/v1/settings', { method: 'PATCH', body: { asksForApproval: true } });
  const order = await gate.send(null);
  const given: number[] = [];
  for (const employeeNumber of ['3', '3', '1']) {
    const one = await workspace.given(aShoutout({ recipient: { employeeNumber } }));
    if (one.status === 'PENDING') given.push(one.id);
  }
  const shown = async (query: string) => {
    const { approvals, totalElements } = await gate.listed(users.lucie, query);
    return [totalElements, ...approvals.map(({ order: one, shoutout }) => one?.requestId ?? shoutout?.id)];
  };
  const forLucie = given.slice(0, -1);
  assert.deepEqual(await shown('?size=1&page=0'), [1 + forLucie.length, order]);
  for (const [nth, id] of forLucie.entries())
    assert.deepEqual(await shown(`?size=1&page=${nth + 1}`), [1 + forLucie.length, id]);
});
