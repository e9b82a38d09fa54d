import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { Automation, AutomationList } from '../../src/ground/contract/automation.ts';
import { anAutomation } from '../support/automations.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const path = '/api/v1/automations';
const post = (workspace: TestWorkspace, body: object) => workspace.call<Automation>(path, { method: 'POST', body });
const patch = (workspace: TestWorkspace, id: number, body: object, headers = {}) =>
  workspace.call<Automation>(`${path}/${id}`, { method: 'PATCH', body, headers });

/** Adds an automation that must be valid. */
async function add(workspace: TestWorkspace, more: object = {}): Promise<Automation> {
  const { status, body } = await post(workspace, anAutomation(more));
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

const faultsOf = async (workspace: TestWorkspace, more: object) =>
  refusal(await post(workspace, anAutomation(more)), 400);

test('an automation is a draft with defaults, is turned on, paused, continued and deleted, and the audit log has each step', async () => {
  const workspace = await openWorkspace(service);
  const { id, ...added } = await add(workspace);
  assert.deepEqual(added, {
    ...anAutomation(),
    audience: { include: [], exclude: [] },
    missing: {},
    from: { is: 'COMPANY' },
    budgetId: null,
    ifShort: 'MESSAGE',
    leadDays: 0,
    hour: 8,
    onDayOff: 'BEFORE',
    onLeapDay: 'FEB_28',
    skipsLeft: true,
    skipsOnLeave: true,
    catchUpDays: 5,
    state: 'DRAFT',
    onSince: null,
    pauseNote: null,
    pausedBy: null,
  });
  refusal(await patch(workspace, id, { state: 'PAUSED' }), 409);
  refusal(await patch(workspace, id, { hour: 9 }, { 'If-Match': '"another"' }), 412);
  const on = (await patch(workspace, id, { hour: 9, state: 'ON' })).body;
  assert.deepEqual([on.state, on.hour, typeof on.onSince], ['ON', 9, 'string']);
  const paused = (await patch(workspace, id, { state: 'PAUSED', pauseNote: 'until May' })).body;
  assert.deepEqual([paused.state, paused.pauseNote], ['PAUSED', 'until May']);
  const again = (await patch(workspace, id, { state: 'ON' })).body;
  assert.deepEqual([again.state, again.pauseNote, again.pausedBy], ['ON', null, null]);
  assert.ok((again.onSince as string) > (on.onSince as string), 'the days of the pause are left out');
  await patch(workspace, id, { state: 'ON', hour: 9 });
  assert.equal((await workspace.call(`${path}/${id}`, { method: 'DELETE' })).status, 204);
  refusal(await workspace.call(`${path}/${id}`), 404);
  assert.deepEqual(await workspace.read(path), { automations: [], isPaused: false });
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit?action=automation');
  assert.deepEqual(
    entries.map(({ action, subjectName }) => `${action} ${subjectName}`),
    ['deleted', 'resumed', 'paused', 'turned_on', 'changed', 'added'].map((one) => `automation.${one} Birthdays`),
  );
});

test('all automations are paused and continued at once, and each keeps its state', async () => {
  const workspace = await openWorkspace(service);
  await add(workspace);
  const all = async (what: string) =>
    (await workspace.call<AutomationList>(`${path}/${what}`, { method: 'POST' })).body.isPaused;
  assert.equal(await all('pause'), true);
  assert.equal(await all('pause'), true);
  assert.equal(await all('resume'), false);
  const { automations } = await workspace.read<AutomationList>(path);
  assert.deepEqual(
    automations.map(({ state }) => state),
    ['DRAFT'],
  );
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit?action=automation');
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['automation.all_resumed', 'automation.all_paused', 'automation.added'],
  );
});

test('fields that do not belong to the trigger or the action are rejected with every fault', async () => {
  const workspace = await openWorkspace(service);
  const faults = (more: object) => faultsOf(workspace, more);
  assert.match(await faults({ trigger: { is: 'BIRTHDAY', days: 3 } }), /trigger\.days must be given if/);
  assert.match(await faults({ trigger: { is: 'AFTER_HIRE' } }), /trigger\.days must be given if/);
  assert.match(await faults({ trigger: { is: 'UNRECOGNIZED', days: 0 } }), /trigger\.days must be at least 1/);
  assert.match(await faults({ trigger: { is: 'YEARLY', monthDay: '02-30' } }), /trigger\.monthDay must be a day/);
  assert.match(await faults({ trigger: { is: 'ONCE' } }), /trigger\.day must be given if/);
  const action = { is: 'GIFT', currency: 'CAD', amount: 1.234 };
  assert.match(await faults({ action }), /action\.amount must have at most 2 decimals in CAD/);
  assert.match(
    await faults({ action: { is: 'SHOUTOUT', currency: 'CAD', amount: 5 } }),
    /action\.currency must be given if.*action\.amount must be left out/,
  );
  assert.match(
    await faults({ action: { is: 'GIFT', currency: 'CAD', byYears: [{ years: 5, amount: 50 }] } }),
    /action\.byYears must be left out, because the trigger is no anniversary/,
  );
  const twice = [
    { years: 5, amount: 50 },
    { years: 5, amount: 75 },
  ];
  assert.match(
    await faults({
      trigger: { is: 'ANNIVERSARY' },
      action: { is: 'GIFT', currency: 'CAD', amount: 5, byYears: twice },
    }),
    /action\.amount must be left out, because `byYears` has.*byYears\[1\]\.years is there twice/,
  );
  assert.match(
    await faults({
      trigger: { is: 'ANNIVERSARY' },
      action: { ...action, amount: 5, further: { every: 5, amount: 50 } },
    }),
    /action\.further must be left out without `byYears`/,
  );
  assert.match(await faults({ from: { is: 'MEMBER' } }), /from\.memberId must be given if/);
  assert.match(await faults({ audience: { include: [{}], exclude: [] } }), /audience\.include\[0\] must have a field/);
  assert.match(await faults({ audience: { include: [{ country: 'XX' }], exclude: [] } }), /country must be a country/);
  assert.match(
    await faults({ messages: { EN: 'Hello {nickname}' } }),
    /messages\.EN has the unknown placeholder \{nickname\}/,
  );
  assert.match(
    await faults({ missing: { nickname: 'you' } }),
    /missing\.nickname is no placeholder: use \{firstName\}/,
  );
  assert.equal((await post(workspace, anAutomation({ trigger: { is: 'YEARLY', monthDay: '02-29' } }))).status, 201);
});

test('people, teams, budgets and reasons that an automation names must exist, and the budget have its currency', async () => {
  const workspace = await openWorkspace(service);
  const budgets = '/api/v1/budgets';
  const set = { method: 'POST', body: { currency: 'EUR', amount: 100 } };
  const budget = await workspace.call<{ id: number }>(budgets, set);
  assert.ok(budget.status < 300, JSON.stringify(budget.body));
  const faults = (more: object) => faultsOf(workspace, more);
  assert.match(await faults({ budgetId: budget.body.id }), /budgetId is a budget in EUR, but the gift is in CAD/);
  assert.match(await faults({ budgetId: 999_999 }), /budgetId must be the id of an open budget/);
  assert.match(
    await faults({ from: { is: 'MEMBER', memberId: 999_999 } }),
    /from\.memberId must be the id of a person/,
  );
  assert.match(
    await faults({ audience: { include: [{ teamId: 999_999 }], exclude: [{ memberId: 999_999 }] } }),
    /exclude\[0\]\.memberId must be the id of a person.*include\[0\]\.teamId must be the id of a team/,
  );
  assert.match(
    await faults({ audience: { include: [{ custom: { contract: 'Permanent' } }], exclude: [] } }),
    /custom\.contract is no custom field/,
  );
  const action = { is: 'GIFT', currency: 'CAD', amount: 5, reasonId: 999_999 };
  assert.match(await faults({ action }), /action\.reasonId is not one of/);
});

test('an automation that could do nothing is not turned on, and one that is on does not become so', async () => {
  const workspace = await openWorkspace(service);
  const tells = async (more: object) => {
    const { id } = await add(workspace, more);
    const told = refusal(await patch(workspace, id, { state: 'ON' }), 409);
    await workspace.call(`${path}/${id}`, { method: 'DELETE' });
    return told;
  };
  assert.match(await tells({ messages: {} }), /no message: write one/);
  assert.match(await tells({ action: { is: 'GIFT', currency: 'CAD' } }), /no amount: set one/);
  const byYears = [{ years: 5, amount: 50 }, { years: 10 }];
  const anniversaries = { trigger: { is: 'ANNIVERSARY' }, action: { is: 'GIFT', currency: 'CAD', byYears } };
  assert.match(await tells(anniversaries), /gift for 10 years has no amount/);
  assert.match(await tells({ trigger: { is: 'ONCE', day: '2020-02-29' } }), /2020-02-29, has passed/);
  const { id } = await add(workspace);
  await patch(workspace, id, { state: 'ON' });
  refusal(await patch(workspace, id, { messages: {} }), 409);
  assert.deepEqual((await workspace.read<Automation>(`${path}/${id}`)).messages, anAutomation().messages);
});

test('a workspace has at most 50 automations', async () => {
  const workspace = await openWorkspace(service);
  for (let nth = 0; nth < 50; nth++) await add(workspace, { name: `Day ${nth}` });
  assert.match(refusal(await post(workspace, anAutomation()), 409), /50 automations/);
});

test('owners and the people team change automations, auditors read them, and others do neither', async () => {
  const workspace = await openWorkspace(service);
  const statuses: Record<string, number[]> = {};
  for (const role of ['OWNER', 'PEOPLE_TEAM', 'AUDITOR', 'APPROVER', 'MANAGER'] as const) {
    const email = `${role}@automations.example.com`;
    await workspace.addPeople([{ email, firstName: role }]);
    const user = await signIn(service, { role, workspace: workspace.id, email });
    const listed = await user.call(path);
    const added = await user.call(path, { method: 'POST', body: anAutomation() });
    const history = await user.call(`${path}/occurrences`);
    statuses[role] = [listed.status, added.status, history.status];
  }
  assert.deepEqual(statuses, {
    OWNER: [200, 201, 200],
    PEOPLE_TEAM: [200, 201, 200],
    AUDITOR: [200, 403, 200],
    APPROVER: [403, 403, 403],
    MANAGER: [403, 403, 200],
  });
});
