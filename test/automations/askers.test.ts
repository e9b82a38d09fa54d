import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateMembers } from '../../src/company/directory/save.ts';
import { atTheCommandLine, theService } from '../../src/company/workspaces/audit.ts';
import { runNow, sendAnyway, skipOccurrence } from '../../src/giving/automations/by-hand.ts';
import { addAutomation, changeAutomation } from '../../src/giving/automations/manage.ts';
import type { Actor } from '../../src/ground/contract/actor.ts';
import type { OrderApproval } from '../../src/ground/contract/approval.ts';
import { setRule } from '../support/approvals.ts';
import { openAutomations, person } from '../support/automation-runs.ts';
import { anAutomation } from '../support/automations.ts';
import { startService } from '../support/service.ts';
import { type Browser, signIn } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService({ role: 'api' });

const byOwners = { above: 0, levels: [{ approvers: [{ is: 'ROLE', role: 'OWNER' } as const] }] };

/** A company whose owners, Priya and Olga, approve every gift, and Ana, whose birthday is tomorrow. */
async function open() {
  const company = await openAutomations(service, { people: ['Ana', 'Priya', 'Olga'].map((name) => person(name)) });
  const [ana = 0] = company.memberIds;
  const forDay = await company.day(1);
  await company.under((tx) => updateMembers(tx, company.id, [{ id: ana, birthday: forDay.slice(5) }]));
  await setRule(service.database, company.id, byOwners);
  const join = (name: string) =>
    signIn(service, { role: 'OWNER', workspace: company.id, email: `${name.toLowerCase()}@example.com`, name });
  const users = { priya: await join('Priya'), olga: await join('Olga') };
  const actorOf = ({ user: { id, name } }: Browser): Actor => ({ is: 'USER', id, name });
  return {
    ...company,
    ...users,
    ana,
    forDay,
    actorOf,
    /** A birthday automation that an operator has added and turned on. */
    async byAnOperator(): Promise<number> {
      const added = await this.draft(atTheCommandLine);
      return this.turnOn(atTheCommandLine, added);
    },
    draft: (actor: Actor) =>
      company.under(async (tx) => {
        const terms = anAutomation({ onDayOff: 'SAME_DAY', hour: 0 });
        return (await addAutomation(tx, actor, company.id, terms)).id;
      }),
    turnOn: (actor: Actor, id: number) =>
      company.under(async (tx) => (await changeAutomation(tx, actor, company.id, id, { state: 'ON' })).id),
    async waiting(): Promise<OrderApproval> {
      const [row] = await company.rows();
      return company.read<OrderApproval>(`/api/v1/approvals/orders/${row?.requestId}`);
    },
    decide: (by: Browser, { requestId }: OrderApproval) =>
      by.call('/api/v1/approvals/decisions', {
        method: 'POST',
        body: { requestIds: [requestId], decision: 'APPROVED' },
      }),
  };
}

type Company = Awaited<ReturnType<typeof open>>;

/** Priya has a part in the order, and Olga approves it. */
async function onlyOlgaDecides(company: Company): Promise<void> {
  const order = await company.waiting();
  assert.deepEqual(
    order.asked.map(({ name }) => name.split(' ')[0]),
    ['Olga'],
  );
  assert.match(refusal(await company.decide(company.priya, order), 403), /You sent or requested order/);
  assert.equal((await company.decide(company.olga, order)).status, 200);
}

test('whoever turned an automation on does not approve its orders', async () => {
  const company = await open();
  await company.turnOn(company.actorOf(company.priya), await company.draft(atTheCommandLine));
  await company.pass(1);
  await onlyOlgaDecides(company);
});

test('whoever added or changed an automation does not approve its orders', async () => {
  const added = await open();
  await added.turnOn(atTheCommandLine, await added.draft(added.actorOf(added.priya)));
  await added.pass(1);
  await onlyOlgaDecides(added);
  const changed = await open();
  const id = await changed.byAnOperator();
  const name = 'Happy birthday';
  await changed.under((tx) => changeAutomation(tx, changed.actorOf(changed.priya), changed.id, id, { name }));
  await changed.pass(1);
  await onlyOlgaDecides(changed);
});

test('whoever changed an automation through a node of 0.8.0 does not approve its orders', async () => {
  const company = await open();
  const id = await company.byAnOperator();
  const name = 'Happy birthday';
  await company.under((tx) => changeAutomation(tx, company.actorOf(company.priya), company.id, id, { name }));
  await service.database.query(`update automations set asker_ids = '{}' where workspace_id = $1`, [company.id]);
  await company.pass(1);
  await onlyOlgaDecides(company);
});

test('they do not approve its orders after the entry of the audit log was removed by age', async () => {
  const company = await open();
  await company.turnOn(company.actorOf(company.priya), await company.draft(atTheCommandLine));
  await service.database.query('delete from audit_log where workspace_id = $1', [company.id]);
  await company.pass(1);
  await onlyOlgaDecides(company);
});

test('whoever lets one occurrence go out does not approve its order, and pausing alone prevents no approval', async () => {
  const runs = await open();
  const id = await runs.byAnOperator();
  await runs.under((tx) =>
    runNow(tx, runs.actorOf(runs.priya), runs.id, id, { memberId: runs.ana, forDay: runs.forDay }),
  );
  await runs.run();
  await onlyOlgaDecides(runs);

  const sends = await open();
  const other = await sends.byAnOperator();
  const choice = { memberId: sends.ana, forDay: sends.forDay };
  const skipped = await sends.under((tx) => skipOccurrence(tx, theService, sends.id, other, choice));
  await sends.under((tx) => sendAnyway(tx, sends.actorOf(sends.priya), sends.id, skipped));
  await sends.run();
  await onlyOlgaDecides(sends);

  const paused = await open();
  const third = await paused.byAnOperator();
  await paused.under((tx) => changeAutomation(tx, paused.actorOf(paused.priya), paused.id, third, { state: 'PAUSED' }));
  await paused.turnOn(atTheCommandLine, third);
  await paused.pass(1);
  assert.equal((await paused.decide(paused.priya, await paused.waiting())).status, 200);
});

test('they do not approve its order when it is tried again', async () => {
  const company = await open();
  await company.turnOn(company.actorOf(company.priya), await company.draft(atTheCommandLine));
  await company.pass(1);
  const { requestId } = await company.waiting();
  await service.database.query('delete from order_parties where workspace_id = $1', [company.id]);
  const decline = { requestIds: [requestId], decision: 'DECLINED', comment: 'Not yet.' };
  const { status } = await company.olga.call('/api/v1/approvals/decisions', { method: 'POST', body: decline });
  assert.equal(status, 200);
  const retried = await company.call(`/api/v1/orders/${requestId}/retry`, { method: 'POST' });
  assert.equal(retried.status, 200, JSON.stringify(retried.body));
  await onlyOlgaDecides(company);
});
