import assert from 'node:assert/strict';
import { test } from 'node:test';
import { termsOf } from '../../src/giving/automations/manage.ts';
import type { Automation } from '../../src/ground/contract/automation.ts';
import type { AutomationOutlooks, AutomationPlan } from '../../src/ground/contract/automation-plan.ts';
import type { OccurrencePage } from '../../src/ground/contract/occurrence.ts';
import { openAutomations, person } from '../support/automation-runs.ts';
import { anAutomation } from '../support/automations.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService({ role: 'api' });
const path = '/api/v1/automations';

/** A company in which Ana had a birthday and an anniversary, Ben could not get his gift, and Mia is Ana's manager. */
async function open() {
  const company = await openAutomations(service, { people: [person('Ana'), person('Ben'), person('Mia')] });
  const [ana, ben, mia] = company.memberIds as [number, number, number];
  const day = await company.day(1);
  await service.database.query(
    `update members set birthday = $2, hired_on = $3::date, manager_id = case when id = $4 then $5::bigint end where workspace_id = $1 and id in ($4, $6)`,
    [company.id, day.slice(5), `2020${day.slice(4)}`, ana, mia, ben],
  );
  const birthdays = await company.on({ catchUpDays: 0 });
  const anniversaries = await company.on({ name: 'Anniversaries', trigger: { is: 'ANNIVERSARY' } });
  await company.miss(3);
  await company.run();
  await company.addPeople([person('Zoe', { birthday: (await company.day(60)).slice(5) })]);
  const auditor = await signIn(service, { role: 'AUDITOR', workspace: company.id, email: 'ben@example.com' });
  const manager = await signIn(service, { role: 'MANAGER', workspace: company.id, email: 'mia@example.com' });
  return { ...company, day, ana, birthdays, anniversaries, auditor, manager };
}

const company = await open();

test('auditors see what automations of anniversaries did, and nothing that tells a birthday', async () => {
  const { auditor, birthdays, anniversaries } = company;
  const { body } = await auditor.call<OccurrencePage>(`${path}/occurrences`);
  assert.deepEqual(new Set(body.content.map(({ automationId }) => automationId)), new Set([anniversaries]));
  const { body: none } = await auditor.call<OccurrencePage>(`${path}/occurrences?automation=${birthdays}`);
  assert.equal(none.totalElements, 0);
  const file = await auditor.call(`${path}/occurrences`, { headers: { Accept: 'text/csv' } });
  assert.ok(String(file.body).includes('Anniversaries') && !String(file.body).includes('Birthdays'));
});

test('auditors see the sums of plans and outlooks without people, and plan nothing that is not stored', async () => {
  const { auditor, birthdays, read } = company;
  const stored = termsOf(await read<Automation>(`${path}/${birthdays}`));
  const plan = (body: object) => auditor.call<AutomationPlan>(`${path}/plan`, { method: 'POST', body });
  const { status, body } = await plan({ terms: stored, automationId: birthdays, month: company.day.slice(0, 7) });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.total.people, 3);
  assert.doesNotMatch(JSON.stringify(body), /Ana|Ben|Zoe/);
  refusal(
    await plan({ terms: anAutomation({ audience: { include: [{ memberId: company.ana }], exclude: [] } }) }),
    403,
  );
  const { body: outlooks } = await auditor.call<AutomationOutlooks>(`${path}/outlook`);
  assert.equal(outlooks.outlooks.length, 2);
  assert.doesNotMatch(JSON.stringify(outlooks), /Ana|Ben|Zoe/);
});

test('events and the audit log do not have the day of a birthday', async () => {
  const { id, birthdays, rows, ana, day } = company;
  const [row] = (await rows()).filter(({ memberId, forDay }) => memberId === ana && forDay === day);
  await company.call(`${path}/occurrences/${row?.id}/send`, { method: 'POST' });
  await company.call(`${path}/${birthdays}/skip`, {
    method: 'POST',
    body: { memberId: ana, forDay: `${Number(day.slice(0, 4)) + 1}${day.slice(4)}` },
  });
  const told = await service.database.query<{ text: string }>(
    `select data::text as text from events where workspace_id = $1 and type like 'automation.%' and data ->> 'automationId' = $2
      union all
     select detail::text from audit_log where workspace_id = $1 and action like 'automation.%' and subject_id = $2 and action <> 'automation.added'`,
    [id, String(birthdays)],
  );
  assert.ok(told.length >= 4, JSON.stringify(told));
  for (const { text } of told) assert.ok(!text.includes(day.slice(5)), text);
});

test('a manager who was not asked about a report reads none of its occurrences, also by a change that changes nothing', async () => {
  const { manager, ana, rows } = company;
  const [row] = (await rows()).filter(({ memberId }) => memberId === ana);
  refusal(await manager.call(`${path}/occurrences/${row?.id}`, { method: 'PATCH', body: {} }), 404);
});
