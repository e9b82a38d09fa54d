import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateMembers } from '../../src/company/directory/save.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { declineOverdue } from '../../src/giving/approvals/expire.ts';
import { addRule, deleteRule } from '../../src/giving/approvals/rules.ts';
import { runNow, sendAnyway } from '../../src/giving/automations/by-hand.ts';
import { lookIn } from '../../src/giving/automations/look.ts';
import { deleteAutomation } from '../../src/giving/automations/manage.ts';
import { addBudget, closeBudget } from '../../src/giving/budgets/manage.ts';
import { declineSteps } from '../../src/steps.ts';
import { engineOn, openAutomations, person } from '../support/automation-runs.ts';
import { setBudget } from '../support/budgets.ts';
import { letFail } from '../support/failed-orders.ts';
import { startService } from '../support/service.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService({ role: 'api' });

async function openWithBirthdays(names: string[]) {
  const company = await openAutomations(service, { people: names.map((name) => person(name)) });
  const forDay = await company.day(1);
  const changes = company.memberIds.map((id) => ({ id, birthday: forDay.slice(5) }));
  await company.under((tx) => updateMembers(tx, company.id, changes));
  return { ...company, forDay };
}

const rule = (automationId: number, more: object) => ({
  name: 'Automations',
  isOn: true,
  from: { automationId },
  measure: 'GIFT' as const,
  currency: 'CAD',
  above: 20,
  levels: [],
  days: null,
  message: null,
  ...more,
});

test('a rule by automation rejects its gifts, and those of another automation go out', async () => {
  const company = await openWithBirthdays(['Ana']);
  const [id, other] = [await company.on(), await company.on({ name: 'Others' })];
  const reject = rule(id, { outcome: 'REJECT', message: 'Ask Lucie first.' });
  await company.under((tx) => addRule(tx, theService, company.id, reject as never));
  await company.pass(1);
  const rows = await service.database.query<{
    id: number;
    state: string;
    reason: string | null;
    detail: string | null;
  }>('select automation_id as id, state, reason, detail from occurrences where workspace_id = $1 order by 1', [
    company.id,
  ]);
  assert.deepEqual(rows, [
    { id, state: 'NOT_DONE', reason: 'REJECTED', detail: 'Ask Lucie first.' },
    { id: other, state: 'SENT', reason: null, detail: null },
  ]);
});

test('a rule that asks lets the order of an automation wait, and the audit log names the automation', async () => {
  const company = await openWithBirthdays(['Ana']);
  const id = await company.on();
  const ask = rule(id, { outcome: 'ASK', levels: [{ approvers: [{ is: 'ROLE', role: 'OWNER' }] }], days: 7 });
  await company.under((tx) => addRule(tx, theService, company.id, ask as never));
  await company.pass(1);
  const [row] = await company.rows();
  const held = await service.database.query<{ id: string }>(
    'select request_id as id from held_orders where workspace_id = $1',
    [company.id],
  );
  assert.deepEqual(held, [{ id: row?.requestId }]);
  const [entry] = await service.database.query<{ actor: string; id: number; name: string }>(
    `select actor, actor_id as id, actor_name as name from audit_log where workspace_id = $1 and action = 'order.held'`,
    [company.id],
  );
  assert.deepEqual(entry, { actor: 'AUTOMATION', id, name: 'Birthdays' });
});

async function declined(names: string[]) {
  const company = await openWithBirthdays(names);
  const id = await company.on();
  const ask = rule(id, { outcome: 'ASK', levels: [{ approvers: [{ is: 'ROLE', role: 'OWNER' }] }], days: 7 });
  const { id: ruleId } = await company.under((tx) => addRule(tx, theService, company.id, ask as never));
  await company.pass(1);
  const requestId = (await company.rows())[0]?.requestId as string;
  await company.miss(8);
  await declineOverdue(service.database, declineSteps);
  await company.under((tx) => deleteRule(tx, theService, company.id, ruleId));
  const retry = () => company.call(`/api/v1/orders/${requestId}/retry`, { method: 'POST' });
  return { ...company, requestId, retry };
}

test('a gift whose order was not approved could not be done, says why, and consumers hear of it', async () => {
  const company = await declined(['Ana', 'Ben']);
  const rows = (await company.rows()).map(({ state, reason, detail }) => [state, reason, detail]);
  const row = ['NOT_DONE', 'DECLINED', 'No approver decided in time.'];
  assert.deepEqual(rows, [row, row]);
  const told = await service.database.query<{ reason: string }>(
    `select data ->> 'reason' as reason from events where workspace_id = $1 and type = 'automation.not_done'`,
    [company.id],
  );
  assert.deepEqual(told, [{ reason: 'DECLINED' }, { reason: 'DECLINED' }]);
});

test('an order of an automation that failed is tried again, and its gifts are sent', async () => {
  const company = await declined(['Ana']);
  assert.equal((await company.retry()).status, 200);
  assert.deepEqual(
    (await company.rows()).map(({ state, reason, requestId }) => [state, reason, requestId]),
    [['SENT', null, company.requestId]],
  );
});

test('a gift whose order failed is sent once: with another order, or by trying the order again', async () => {
  const company = await declined(['Ana', 'Ben']);
  const id = (await company.rows())[0]?.id as number;
  await company.under((tx) => sendAnyway(tx, theService, company.id, id));
  assert.match(refusal(await company.retry(), 409), /sent with another order since/);
  await company.run();
  assert.match(refusal(await company.retry(), 409), /sent with another order since/);
  assert.deepEqual(
    (await company.rows()).map(({ state, requestId }) => [state, requestId === company.requestId]),
    [
      ['SENT', false],
      ['NOT_DONE', true],
    ],
  );
});

test('an order that fails before the automation hears of it is not called sent', async () => {
  const company = await openWithBirthdays(['Ana']);
  await company.on();
  const { acceptance } = company.engine;
  const accept: typeof acceptance.accept = async (submission) => {
    const accepted = await acceptance.accept(submission);
    const { requestId } = accepted.record;
    await company.under((tx, moment) => letFail(tx, company.id, moment, requestId));
    return accepted;
  };
  await company.miss(1);
  await company.run({ ...company.engine, acceptance: { accept } as typeof acceptance });
  assert.deepEqual(
    (await company.rows()).map(({ state, reason, detail }) => [state, reason, detail]),
    [['NOT_DONE', 'REJECTED', 'the lines contradict each other']],
  );
});

test('an automation is from a person to chosen people, except to the sender, and to a team', async () => {
  const company = await openWithBirthdays(['Ana', 'Ben', 'Cai', 'Dora']);
  const [ana, ben, , dora] = company.memberIds as [number, number, number, number];
  const file = { body: 'email,team\ncai@example.com,Blue\n' as never, headers: { 'Content-Type': 'text/csv' } };
  await company.call('/api/v1/members/import', { method: 'POST', ...file });
  const [team] = await service.database.query<{ id: number }>(
    `select id from teams where workspace_id = $1 and name = 'Blue'`,
    [company.id],
  );
  const from = { is: 'MEMBER' as const, memberId: ana };
  const audience = {
    include: [{ memberId: ana }, { memberId: ben }, { teamId: team?.id as number }],
    exclude: [{ memberId: dora }],
  };
  await company.on({ from, audience });
  await company.on({ name: 'Shoutouts', from, audience, action: { is: 'SHOUTOUT' } });
  await company.pass(1);
  assert.deepEqual(
    (await company.rows()).map(({ state }) => state),
    Array(6).fill('SENT'),
  );
  const sent = (await company.gifts()).map(({ to, sender }) => [to, sender === 'Ana Example']);
  assert.deepEqual(sent, [
    ['ana@example.com', false],
    ['ben@example.com', true],
    ['cai@example.com', true],
  ]);
});

test('an automation draws on the budget that it names', async () => {
  const company = await openWithBirthdays(['Ana']);
  const budget = (more: object) =>
    company.under((tx) => addBudget(tx, theService, company.id, { currency: 'CAD', amount: 100, ...more }));
  await budget({});
  const named = await budget({ department: 'People' });
  await company.on({ budgetId: named.id });
  await company.pass(1);
  const drawn = await service.database.query<{ id: number }>(
    'select budget_id as id from order_budgets where workspace_id = $1',
    [company.id],
  );
  assert.deepEqual(drawn, [{ id: named.id }]);
});

test('an order of an automation that is tried again draws on no other budget if its own was closed', async () => {
  const company = await openWithBirthdays(['Ana']);
  await setBudget(service.database, company.id);
  const named = await setBudget(service.database, company.id, { department: 'People' });
  await company.on({ budgetId: named.id });
  await company.pass(1);
  const [row] = await company.rows();
  const requestId = row?.requestId as string;
  await company.under((tx, moment) => letFail(tx, company.id, moment, requestId));
  await company.under((tx) => closeBudget(tx, theService, company.id, named.id));
  const retry = await company.call(`/api/v1/orders/${requestId}/retry`, { method: 'POST' });
  assert.match(refusal(retry, 402), /department People, which is closed/);
  const drawn = await service.database.query('select from order_budgets where workspace_id = $1 and budget_id <> $2', [
    company.id,
    named.id,
  ]);
  assert.deepEqual(drawn, []);
});

test('a deleted automation keeps what it did and does nothing more; a person can be paid early, once', async () => {
  const company = await openWithBirthdays(['Ana', 'Ben']);
  const id = await company.on();
  const choice = { memberId: company.memberIds[0] as number, forDay: company.forDay };
  await company.under((tx) => runNow(tx, theService, company.id, id, choice));
  await company.run();
  await assert.rejects(
    company.under((tx) => runNow(tx, theService, company.id, id, choice)),
    /gone out/,
  );
  await company.under((tx) => deleteAutomation(tx, theService, company.id, id));
  await company.pass(2);
  assert.deepEqual(
    (await company.rows()).map(({ memberId, state }) => [memberId, state]),
    [[company.memberIds[0], 'SENT']],
  );
});

test('what was about to go out when its automation was deleted is listed as skipped', async () => {
  const company = await openWithBirthdays(['Ana']);
  const id = await company.on();
  await company.miss(1);
  for await (const _ of lookIn(company.engine, company.id));
  await company.under((tx) => deleteAutomation(tx, theService, company.id, id));
  await company.pass(1);
  assert.partialDeepStrictEqual(await company.rows(), [{ state: 'SKIPPED', reason: 'BY_HAND' }]);
});

test('a gift goes out at the hour of the person, in their time zone', async () => {
  const company = await openWithBirthdays(['Ana']);
  const [ana] = company.memberIds as [number];
  await company.under((tx) => updateMembers(tx, company.id, [{ id: ana, timeZone: 'Pacific/Auckland' }]));
  // Tomorrow's hour there has not come yet, whatever the time is now: it is 10 or 11 in UTC.
  await company.on({ hour: 23 });
  const due = () =>
    service.database.query<{ at: string }>(
      `select to_char(due_at at time zone 'Pacific/Auckland', 'YYYY-MM-DD HH24:MI') as at from occurrences where workspace_id = $1`,
      [company.id],
    );
  for (let hours = 0; hours < 48 && (await due()).length === 0; hours += 1) {
    await service.database.transaction((tx) => advanceClock(tx, company.id, 3_600));
    await company.run(engineOn(service.database));
  }
  assert.deepEqual(await due(), [{ at: `${company.forDay} 23:00` }]);
  assert.partialDeepStrictEqual(await company.rows(), [{ state: 'SENT', daysLate: 0 }]);
});
