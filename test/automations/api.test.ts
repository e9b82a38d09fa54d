import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { Automation } from '../../src/ground/contract/automation.ts';
import type { AutomationPlan } from '../../src/ground/contract/automation-plan.ts';
import type { AdvancedClock, Clock } from '../../src/ground/contract/clock.ts';
import type { Occurrence, OccurrencePage } from '../../src/ground/contract/occurrence.ts';
import { anAutomation } from '../support/automations.ts';
import { runJson } from '../support/commands.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
const path = '/api/v1/automations';

const people = [
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor', preferredName: 'Addie Okafor' },
  { email: 'ben@example.com', firstName: 'Ben', lastName: 'Roy' },
  { email: 'mia@example.com', firstName: 'Mia', lastName: 'Gagnon' },
];

/** A workspace with an automation, and what it did. Mia is the manager of Ada. */
async function openHistory() {
  const workspace = await openWorkspace(service, { people });
  const [ada, ben, mia] = workspace.memberIds as [number, number, number];
  await database.query('update members set manager_id = $3 where workspace_id = $1 and id = $2', [
    workspace.id,
    ada,
    mia,
  ]);
  const automation = await add(workspace);
  const rows = [
    { member: ada, day: '2026-03-01', state: 'SENT' },
    { member: ben, day: '2026-03-02', state: 'SENT', late: 2 },
    { member: ada, day: '2027-03-01', state: 'NOT_DONE', reason: 'NO_MONEY' },
    { member: ben, day: '2027-03-02', state: 'SKIPPED', reason: 'BY_HAND' },
    { member: ada, day: '2028-03-01', state: 'ASKED', asked: mia },
  ];
  await database.query(
    `insert into occurrences (workspace_id, automation_id, member_id, for_day, state, reason, due_at, days_late, amount, currency, asked_member_id, at)
     select $1, $2, member, day, state, reason, (day || 'T12:00Z')::timestamptz, coalesce(late, 0), 25, 'CAD', asked, now()
       from jsonb_to_recordset($3) as one (member bigint, day date, state text, reason text, late int, asked bigint)
      order by day`,
    [workspace.id, automation.id, JSON.stringify(rows)],
  );
  return { workspace, automation, ada, ben, mia };
}

async function add(workspace: TestWorkspace, more: object = {}): Promise<Automation> {
  const { status, body } = await workspace.call<Automation>(path, { method: 'POST', body: anAutomation(more) });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

const days = ({ content }: OccurrencePage) => content.map(({ forDay }) => forDay);

test('occurrences are listed, the latest first, with filters that combine', async () => {
  const { workspace, automation, ada } = await openHistory();
  const list = (query = '') => workspace.read<OccurrencePage>(`${path}/occurrences${query}`);
  const all = await list();
  assert.deepEqual(days(all), ['2028-03-01', '2027-03-02', '2027-03-01', '2026-03-02', '2026-03-01']);
  const { id, at, ...last } = all.content.at(-1) as Occurrence;
  assert.deepEqual(last, {
    automationId: automation.id,
    automationName: 'Birthdays',
    memberId: ada,
    firstName: 'Addie',
    lastName: 'Okafor',
    forDay: '2026-03-01',
    years: null,
    dueAt: '2026-03-01T12:00:00.000Z',
    state: 'SENT',
    reason: null,
    detail: null,
    daysLate: 0,
    amount: 25,
    currency: 'CAD',
    line: null,
    requestId: null,
    isWaiting: false,
    shoutoutId: null,
  });
  assert.deepEqual(days(await list(`?member=${ada}&state=SENT`)), ['2026-03-01']);
  assert.deepEqual(days(await list('?isLate=true')), ['2026-03-02']);
  assert.deepEqual(days(await list('?isWaiting=true')), []);
  assert.deepEqual(days(await list('?from=2026-03-02&to=2027-03-01')), ['2027-03-01', '2026-03-02']);
  assert.deepEqual(days(await list(`?automation=${automation.id + 1}`)), []);
  const second = await list('?page=1&size=2');
  assert.deepEqual([days(second), second.totalElements, second.totalPages], [['2027-03-01', '2026-03-02'], 5, 3]);
  refusal(await workspace.call(`${path}/occurrences?states=SENT`), 400);
  await workspace.call(`${path}/${automation.id}`, { method: 'DELETE' });
  const kept = await list();
  assert.deepEqual(
    days(kept),
    ['2027-03-02', '2027-03-01', '2026-03-02', '2026-03-01'],
    'what it was about to do is gone',
  );
  assert.equal(kept.content[0]?.automationName, 'Birthdays');
});

test('a file has all occurrences that fit', async () => {
  const { workspace } = await openHistory();
  const answer = await workspace.call(`${path}/occurrences?state=SENT`, { headers: { Accept: 'text/csv' } });
  const [header, ...lines] = String(answer.body).trim().split(/\r?\n/);
  assert.match(header ?? '', /^id,automationId,automationName,memberId,firstName,lastName,forDay/);
  assert.deepEqual(
    lines.map((line) => line.split(',')[6]),
    ['2026-03-02', '2026-03-01'],
  );
});

test('a manager sees the occurrences of reports about which managers were asked, and no others', async () => {
  const { workspace } = await openHistory();
  const mia = await signIn(service, { role: 'MANAGER', workspace: workspace.id, email: 'mia@example.com' });
  const ben = await signIn(service, { role: 'MANAGER', workspace: workspace.id, email: 'ben@example.com' });
  assert.deepEqual(days((await mia.call<OccurrencePage>(`${path}/occurrences`)).body), ['2028-03-01']);
  assert.deepEqual(days((await ben.call<OccurrencePage>(`${path}/occurrences`)).body), []);
});

test('occurrences of a merged record are those of the person', async () => {
  const { workspace, ada, ben } = await openHistory();
  await workspace.merge(ada, ben);
  const { content } = await workspace.read<OccurrencePage>(`${path}/occurrences?member=${ben}`);
  assert.deepEqual(new Set(content.map(({ memberId }) => memberId)), new Set([ben]));
  assert.equal(content.length, 5);
});

test('a plan needs no automation, and names what is wrong with its terms', async () => {
  const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com', birthday: '03-01' }] });
  const plan = (body: object) => workspace.call<AutomationPlan>(`${path}/plan`, { method: 'POST', body });
  const { status, body } = await plan({ terms: anAutomation() });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.total, body.months.length], [{ people: 1, occurrences: 1, amount: 25 }, 13]);
  assert.equal((await plan({ terms: anAutomation({ messages: {} }) })).status, 200);
  assert.match(refusal(await plan({ terms: anAutomation({ trigger: { is: 'ONCE' } }) }), 400), /trigger\.day/);
  refusal(await plan({ terms: anAutomation(), automationId: 999_999 }), 404);
});

test('owners and the people team move the time of the workspace in the test environment, with an entry in the audit log', async () => {
  const workspace = await openWorkspace(service, { people });
  const advance = (days: number) => ({ method: 'POST', body: { days } });
  const owner = await signIn(service, { role: 'OWNER', workspace: workspace.id, email: 'ada@example.com' });
  const auditor = await signIn(service, { role: 'AUDITOR', workspace: workspace.id, email: 'ben@example.com' });
  const before = (await owner.call<Clock>('/api/v1/clock')).body;
  assert.deepEqual([before.aheadDays, before.canMove], [0, true]);
  const moved = (await owner.call<AdvancedClock>('/api/v1/clock/advance', advance(30))).body;
  assert.deepEqual([moved.aheadDays, moved.daysLeft], [30, 0]);
  assert.ok(Date.parse(moved.at) - Date.parse(before.at) >= 30 * 86_400_000);
  refusal(await auditor.call('/api/v1/clock/advance', advance(1)), 403);
  assert.equal((await auditor.call<Clock>('/api/v1/clock')).body.canMove, false);
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit?action=workspace.clock_moved');
  assert.deepEqual(
    entries.map(({ actor, detail }) => [actor, detail]),
    [['USER', { days: 30 }]],
  );
});

test('in production the time cannot be moved', async () => {
  const production = await startService({ environment: 'production' });
  const workspace = await openWorkspace(production);
  assert.equal((await workspace.read<Clock>('/api/v1/clock')).canMove, false);
  const asked = { method: 'POST', body: { days: 1 } };
  assert.match(refusal(await workspace.call('/api/v1/clock/advance', asked), 403), /test environment only/);
});

test('the command line lists, shows, plans, pauses and resumes automations', async () => {
  const { workspace, automation } = await openHistory();
  const env = { DATABASE_URL: database.url };
  const run = <T>(...args: string[]) => runJson<T>(['automation', ...args, '--workspace', String(workspace.id)], env);
  const id = String(automation.id);
  assert.deepEqual(await run('list'), await workspace.read(path));
  assert.deepEqual(await run('show', id), automation);
  assert.equal((await run<AutomationPlan>('plan', id)).months.length, 13);
  assert.equal((await run<Automation>('resume', id)).state, 'ON');
  const paused = await run<Automation>('pause', id, '--note', 'until May');
  assert.deepEqual([paused.state, paused.pauseNote], ['PAUSED', 'until May']);
  assert.equal((await run<{ isPaused: boolean }>('pause')).isPaused, true);
  assert.equal((await run<{ isPaused: boolean }>('resume')).isPaused, false);
  const done = await run<Occurrence[]>('occurrences', '--state', 'NOT_DONE', '--automation', id);
  assert.deepEqual(
    done.map(({ reason }) => reason),
    ['NO_MONEY'],
  );
});
