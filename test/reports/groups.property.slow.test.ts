import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { findOrAddTeams, joinTeams } from '../../src/company/directory/teams.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { updateSettings } from '../../src/company/workspaces/settings.ts';
import type { CoveragePage, FairnessPage, NotRecognizedPage } from '../../src/ground/contract/coverage.ts';
import type { Overview, Series } from '../../src/ground/contract/overview.ts';
import { CompanyMemory } from '../../src/insight/reports/memory/company.ts';
import { followTimeZone } from '../../src/insight/reports/time-zone.ts';
import { readWrongs } from '../support/books.ts';
import {
  type Company,
  counted,
  countsOf,
  type Days,
  dayIn,
  dayMs,
  dayOf,
  groupsOf,
  isIn,
  lastOf,
  newPerson,
  type Person,
  queryOf,
  recognizedBy,
  wereHere,
} from '../support/coverage-model.ts';
import fc from '../support/fast-check.ts';
import { contents, contentsNow } from '../support/memory.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { lineAbove, mergeManagers } from '../support/reporting-lines.ts';
import { runs } from '../support/runs.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

interface World {
  workspace: TestWorkspace;
  zone: string;
  company: Company;
}

const step = fc.record({
  kind: fc.constantFrom(
    'gift',
    'gift',
    'shoutout',
    'shoutout',
    'shoutout',
    'decide',
    'leave',
    'merge',
    'hire',
    'join',
    'manage',
    'move',
    'night',
    'night',
    'zone',
  ),
  who: fc.nat(100),
  other: fc.nat(100),
  flag: fc.boolean(),
});
type Step = Parameters<Parameters<typeof step.map>[0]>[0];

const departments = ['Care', 'CARE', 'Sales', null] as const;
const at = <T>(list: readonly T[], which: number): T => list[which % list.length] as T;
const zones = ['America/Toronto', 'Pacific/Auckland', 'Asia/Kolkata', 'Atlantic/Azores', 'UTC'];
const survivors = ({ people }: Company) => people.filter(({ mergedInto }) => mergedInto === null);
const here = (company: Company) => survivors(company).filter(({ leftDaysAgo }) => leftDaysAgo === null);

const steps: Record<Step['kind'], (world: World, step: Step) => Promise<void>> = {
  async gift({ workspace, company }, { who, other }) {
    const receivers = [...new Set([at(here(company), who), at(here(company), other)])];
    const orderItems = receivers.map(({ email }) => aGift({ recipient: { email }, amount: 10 + (who % 3) }));
    const answer = await workspace.call<{ requestId: string }>('/api/v1/orders', {
      method: 'POST',
      body: anOrder({ orderItems }),
    });
    await workspace.finished(answer.body.requestId);
    for (const receiver of receivers)
      company.acts.push({
        type: 'GIFT',
        status: 'APPROVED',
        sender: null,
        receiver,
        daysAgo: 0,
        amount: 10 + (who % 3),
      });
  },

  async shoutout({ workspace, company }, { who, other }) {
    const [sender, receiver] = [at(here(company), who), at(here(company), other)];
    if (sender === receiver) return;
    const body = aShoutout({ recipient: { email: receiver.email }, sender: { email: sender.email } });
    const answer = await workspace.give(body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    company.acts.push({ type: 'SHOUTOUT', status: 'PENDING', sender, receiver, daysAgo: 0, amount: 0 });
  },

  async decide({ workspace, company }, { who, flag }) {
    const waiting = company.acts.flatMap(({ status }, nth) => (status === 'PENDING' ? [nth] : []));
    if (waiting.length === 0) return;
    const nth = at(waiting, who);
    const decision = flag || who % 3 > 0 ? 'approve' : 'decline';
    assert.equal((await workspace.decide(nth + 1, decision)).status, 200);
    (company.acts[nth] as Company['acts'][number]).status = decision === 'approve' ? 'APPROVED' : 'DECLINED';
  },

  async leave({ workspace, company }, { who }) {
    if (here(company).length < 3) return;
    const person = at(here(company), who);
    await workspace.change(person.id, { active: false });
    person.leftDaysAgo = 0;
  },

  async merge({ workspace, company }, { who, other }) {
    const [from, into] = [at(here(company), who), at(here(company), other)];
    if (from === into || here(company).length < 4) return;
    await workspace.merge(from.id, into.id);
    into.department ??= from.department;
    into.team ??= from.team;
    mergeManagers(company.people, from, into);
    for (const one of company.people) if (one.mergedInto === from) one.mergedInto = into;
    from.mergedInto = into;
    into.addedAt = Math.min(into.addedAt, from.addedAt);
  },

  async hire({ workspace, company }, { other }) {
    const [email, department] = [`person${company.people.length}@example.com`, at(departments, other)];
    const [id = 0] = await workspace.addPeople([{ email, department }]);
    company.people.push({ ...newPerson, id, email, department, addedAt: await momentOf(id) });
  },

  async join({ workspace, company }, { who, other }) {
    const person = at(survivors(company), who);
    if (person.team !== null) return;
    const team = at(['Voice', 'Web'], other);
    await database.transaction(async (tx) => {
      await lockWorkspace(tx, workspace.id);
      const teams = await findOrAddTeams(tx, workspace.id, [team]);
      await joinTeams(tx, workspace.id, [{ memberId: person.id, teamId: teams.get(team) as number }]);
    });
    person.team = team;
  },

  async manage({ workspace, company }, { who, other }) {
    const [person, manager] = [at(survivors(company), who), at(survivors(company), other)];
    if (lineAbove(manager).has(person))
      return assert.rejects(workspace.change(person.id, { managerId: manager.id }), /does not report/);
    await workspace.change(person.id, { managerId: manager.id });
    person.manager = manager;
  },

  async move({ workspace, company }, { who, other }) {
    const person = at(survivors(company), who);
    person.department = at(departments, other);
    await workspace.change(person.id, { department: person.department });
  },

  async night({ workspace, company }, { who }) {
    const hours = 5 + who * 5;
    await workspace.passHours(hours);
    for (const person of company.people) person.addedAt -= hours * 3_600_000;
  },

  async zone(world, { who }) {
    world.zone = at(zones, who);
    const { id } = world.workspace;
    const change = { timeZone: world.zone };
    await database.transaction((tx) => updateSettings(tx, theService, id, change, followTimeZone));
  },
};

/** When a person was added, in ms. */
async function momentOf(id: number): Promise<number> {
  const [row] = await database.query<{ at: Date }>('select created_at as at from members where id = $1', [id]);
  return (row as { at: Date }).at.getTime();
}

/** Says of everything how many days ago it was, in the workspace's time zone. */
async function tellDays({ workspace, company, zone }: World, today: string): Promise<void> {
  const ago = (moment: Date | number) => (Date.parse(today) - Date.parse(dayIn(zone, moment))) / dayMs;
  const given = await database.query<{ at: Date }>(
    'select created_on as at from activities where workspace_id = $1 order by number',
    [workspace.id],
  );
  const left = await database.query<{ id: number; at: Date }>(
    'select id, left_at as at from members where workspace_id = $1 and left_at is not null and merged_into is null',
    [workspace.id],
  );
  for (const [nth, act] of company.acts.entries()) act.daysAgo = ago((given[nth] as { at: Date }).at);
  for (const person of company.people) {
    person.addedDaysAgo = ago(person.addedAt);
    const leaver = left.find(({ id }) => id === person.id);
    if (leaver) person.leftDaysAgo = ago(leaver.at);
  }
}

/** The days that lists of people show. */
async function checkPeople({ workspace, company }: World, today: string): Promise<void> {
  const { members } = await workspace.members('?includeInactive=true&size=100');
  assert.deepEqual(
    members.map(({ id, lastRecognizedOn, leftOn }) => [id, lastRecognizedOn, leftOn]),
    survivors(company)
      .toSorted((a, b) => a.id - b.id)
      .map((person) => {
        const last = lastOf(company, person, 0);
        const left = person.leftDaysAgo;
        return [person.id, last === null ? null : dayOf(today, last), left === null ? null : dayOf(today, left)];
      }),
  );
}

async function checkCoverage(world: World, today: string, days: Days): Promise<void> {
  const { workspace, company } = world;
  const span = queryOf(today, days);
  const everybody = countsOf(company, wereHere(company, days.asOf), days);
  const named = { department: (one: Person) => one.department, team: (one: Person) => one.team ?? 'Everyone' };
  for (const [by, nameOf] of Object.entries(named)) {
    const read = await workspace.read<CoveragePage>(`/api/v1/reports/coverage?by=${by}&${span}&size=1000`);
    assert.deepEqual(read.company, everybody, `${by} ${span}`);
    const groups = new Map(read.groups.map(({ id: _, name, ...counts }) => [name?.toLowerCase() ?? null, counts]));
    assert.deepEqual(groups, groupsOf(company, days, nameOf), `${by} ${span}`);
    const shares = read.groups.map(({ share }) => share as number);
    assert.deepEqual(shares, shares.toSorted());
  }
  const lines = await asCsv(workspace, `coverage?by=manager&${span}`);
  const managers = groupsOf(company, days, ({ manager }) => (manager ? `${manager.id}` : null));
  assert.deepEqual(
    new Map(lines.map(({ id, people, recognized }) => [id || null, [Number(people), Number(recognized)]])),
    new Map([...managers].map(([id, { people, recognized }]) => [id, [people, recognized]])),
  );
  await checkFairness(world, days, span);
}

async function checkMonths({ workspace, company }: World, today: string, days: Days): Promise<void> {
  const read = await workspace.read<CoveragePage>(`/api/v1/reports/coverage?by=month&${queryOf(today, days)}`);
  assert.deepEqual(read.company, countsOf(company, wereHere(company, days.asOf), days));
  const ago = (day: string) => Math.round((Date.parse(today) - Date.parse(day)) / dayMs);
  const last = Math.max(days.to, days.asOf);
  for (const { id: _, name, ...counts } of read.groups) {
    const begin = new Date(`${name}-01`);
    const next = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 1)).toISOString();
    const ends = Math.max(last, ago(next) + 1);
    const month = { from: Math.min(days.from, ago(`${name}-01`)), to: ends, asOf: ends };
    assert.deepEqual(counts, countsOf(company, wereHere(company, ends), month), `${name} ${queryOf(today, days)}`);
  }
}

async function checkFairness({ workspace, company }: World, days: Days, span: string): Promise<void> {
  const fairness = await workspace.read<FairnessPage>(`/api/v1/reports/fairness?${span}&size=1000`);
  const groups = groupsOf(company, days, ({ manager }) => (manager ? `${manager.id}` : null));
  groups.delete(null);
  assert.deepEqual(
    new Map(fairness.managers.map(({ manager, ...one }) => [`${manager.id}`, one])),
    new Map(
      [...groups].map(([id, counts]) => {
        const manager = company.people.find((one) => `${one.id}` === id) as Person;
        return [id, { ...counts, recognizedByManager: recognizedBy(company, manager, days) }];
      }),
    ),
  );
}

async function checkForgotten({ workspace, company }: World, today: string, { from, asOf }: Days): Promise<void> {
  for (const filters of ['', '&never=true', '&department=care']) {
    const query = `since=${dayOf(today, from)}&asOf=${dayOf(today, asOf)}${filters}`;
    const { members } = await workspace.read<NotRecognizedPage>(
      `/api/v1/reports/members/not-recognized?${query}&size=1000`,
    );
    const expected = wereHere(company, asOf)
      .map((person) => ({ person, last: lastOf(company, person, asOf) }))
      .filter(({ last }) => last === null || (last > from && !filters.includes('never')))
      .filter(({ person }) => !filters.includes('care') || person.department?.toLowerCase() === 'care')
      .sort((a, b) => (b.last ?? 1e9) - (a.last ?? 1e9) || a.person.id - b.person.id)
      .map(({ person, last }) => [person.id, last === null ? null : dayOf(today, last)]);
    assert.deepEqual(
      members.map(({ member, lastDate }) => [member.id, lastDate]),
      expected,
      query,
    );
    const lines = await asCsv(workspace, `members/not-recognized?${query}`);
    assert.deepEqual(
      lines.map(({ id, lastDate }) => [Number(id), lastDate || null]),
      expected,
    );
  }
}

async function checkSeries({ workspace, company }: World, today: string, days: Days): Promise<void> {
  for (const by of ['day', 'week', 'month']) {
    const { points } = await workspace.read<Series>(`/api/v1/reports/series?by=${by}&${queryOf(today, days)}`);
    assert.deepEqual([points[0]?.from, points.at(-1)?.to], [dayOf(today, days.from), dayOf(today, days.to)]);
    for (const [nth, point] of points.entries()) {
      const before = points[nth - 1];
      if (before) assert.equal(Date.parse(before.to) + dayMs, Date.parse(point.from));
      const acts = company.acts.filter(
        (act) => isIn(act, days) && dayOf(today, act.daysAgo) >= point.from && dayOf(today, act.daysAgo) <= point.to,
      );
      const gifts = acts.filter(({ type }) => type === 'GIFT');
      const amount = gifts.reduce((sum, one) => sum + one.amount, 0);
      assert.deepEqual(
        [point.gifts, point.shoutouts, point.amounts],
        [gifts.length, acts.length - gifts.length, amount > 0 ? [{ currency: 'CAD', amount }] : []],
      );
    }
  }
}

async function checkOverview({ workspace, company }: World, today: string): Promise<void> {
  const { attention, current, before } = await workspace.read<Overview>('/api/v1/reports/overview');
  const waiting = company.acts.filter(({ status }) => status === 'PENDING').length;
  assert.deepEqual([attention.waitingShoutouts, attention.oldestWaiting === null], [waiting, waiting === 0]);
  for (const span of [current, before]) {
    const ago = (day: string) => (Date.parse(today) - Date.parse(day)) / dayMs;
    const days = { from: ago(span.from), to: ago(span.to), asOf: ago(span.to) };
    const { people, recognized } = countsOf(company, wereHere(company, days.asOf), days);
    const acts = company.acts.filter((act) => isIn(act, days));
    const gifts = acts.filter(({ type }) => type === 'GIFT').length;
    assert.deepEqual(
      [span.people, span.recognized, span.gifts, span.shoutouts],
      [people, recognized, gifts, acts.length - gifts],
    );
  }
}

async function asCsv(workspace: TestWorkspace, path: string): Promise<Record<string, string>[]> {
  const { body } = await workspace.call<string>(`/api/v1/reports/${path}`, { headers: { Accept: 'text/csv' } });
  return parse(body, { columns: true });
}

async function open(): Promise<World> {
  const emails = [...Array(6).keys()].map((nth) => `person${nth}@example.com`);
  const workspace = await openWorkspace(service, {
    asksForApproval: true,
    people: emails.map((email, nth) => ({ email, department: at(departments, nth) })),
  });
  const people: Person[] = [];
  for (const [nth, email] of emails.entries())
    people.push({
      ...newPerson,
      id: workspace.memberIds[nth] as number,
      email,
      department: at(departments, nth),
      addedAt: await momentOf(workspace.memberIds[nth] as number),
    });
  return { workspace, zone: 'UTC', company: { people, acts: [] } };
}

/** A run that begins before midnight and ends after it compares days of two days. */
const isFarFromMidnight = (zone: string) => dayIn(zone, Date.now()) === dayIn(zone, Date.now() + 60_000);

test('reports about groups and spans say what a plain list of everything says, as of any day', async () => {
  const before = await readWrongs(database);
  const spans = fc
    .tuple(fc.nat(60), fc.nat(30), fc.nat(30))
    .map(([length, to, asOf]) => ({ from: to + length, to, asOf }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 30 }),
      fc.array(spans, { maxLength: 3 }),
      async (list, days) => {
        const world = await open();
        const followed = new CompanyMemory(world.workspace.id, 3);
        for (const one of list) {
          // A night moves the whole history, which nothing in the service does. It is noticed by the latest activity alone.
          if (one.kind === 'night') await followed.follow(database);
          await steps[one.kind](world, one);
          if (one.flag || one.kind === 'night') await followed.follow(database);
        }
        await followed.follow(database);
        assert.deepEqual(contents(followed), await contentsNow(database, world.workspace.id));
        fc.pre(isFarFromMidnight(world.zone));
        const today = dayIn(world.zone, Date.now());
        await tellDays(world, today);
        await checkPeople(world, today);
        for (const one of [{ from: 60, to: 0, asOf: 0 }, ...days]) {
          await checkCoverage(world, today, one);
          await checkMonths(world, today, one);
          await checkForgotten(world, today, one);
          await checkSeries(world, today, one);
        }
        await checkOverview(world, today);
        assert.equal(counted(world.company.people[0] as Person).mergedInto, null);
        assert.deepEqual(await readWrongs(database), before);
      },
    ),
    { numRuns: runs(25), endOnFailure: true },
  );
});
