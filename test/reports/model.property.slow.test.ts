import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { findOrAddTeams, joinTeams, leaveTeams } from '../../src/company/directory/teams.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { updateWorkspace } from '../../src/company/workspaces/workspaces.ts';
import type { OrderRecord, OrderRequestStatus } from '../../src/ground/contract/order.ts';
import { readWrongs } from '../support/books.ts';
import fc from '../support/fast-check.ts';
import { aGift, anOrder } from '../support/orders.ts';
import {
  at,
  currencies,
  expectedRows,
  fields,
  findOrAdd,
  type Kept,
  type Model,
  managerText,
  persons,
  type Query,
  query,
  type Recorded,
  survivor,
  teamNames,
  wish,
  words,
} from '../support/report-model.ts';
import { lineAbove, mergeManagers } from '../support/reporting-lines.ts';
import { runs } from '../support/runs.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

interface World {
  workspace: TestWorkspace;
  token: string;
  model: Model;
}

const step = fc.record({
  kind: fc.constantFrom(
    'gift',
    'gift',
    'shoutout',
    'shoutout',
    'shoutout',
    'approve',
    'decline',
    'leave',
    'return',
    'merge',
    'rename',
    'renumber',
    'describe',
    'manage',
    'join',
    'quit',
    'night',
    'toggle',
  ),
  who: fc.nat(1_000),
  other: fc.nat(1_000),
  flag: fc.boolean(),
});
type Step = Parameters<Parameters<typeof step.map>[0]>[0];

const steps: Record<Step['kind'], (world: World, step: Step) => Promise<void>> = {
  async gift({ workspace, token, model }, { who, other, flag }) {
    const wishes = [who, other, who + other].slice(0, 1 + (who % 3)).map((one) => wish(model, one, flag));
    const text = `gift ${model.activities.length}`;
    const body = anOrder({ orderItems: wishes.map(({ recipient }) => aGift({ message: text, recipient })) });
    const answer = await workspace.call<OrderRequestStatus>('/api/v1/orders', { method: 'POST', body, token });
    const left = wishes.flatMap(({ kept }, nth) => (kept?.active === false ? [`orderItems[${nth}].recipient`] : []));
    if (left.length > 0) {
      const named = refusal(answer, 400).split('; ');
      assert.deepEqual(
        named.map((fault) => fault.split(' ')[0]),
        left,
      );
      return;
    }
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    await workspace.finished(answer.body.requestId);
    const order = await workspace.read<OrderRecord>(`/api/v1/orders/${answer.body.requestId}?size=10`);
    for (const [nth, { recipient }] of wishes.entries()) {
      const id = order.certificates[nth]?.recipientUser as number;
      const receiver = findOrAdd(model, recipient, id);
      assert.equal(id, receiver.id);
      model.activities.push({ type: 'GIFT', status: 'APPROVED', sender: null, receiver, text, isPrivate: false });
    }
  },

  async shoutout({ workspace, token, model }, { who, other, flag }) {
    const { recipient, kept } = wish(model, who, flag);
    const sender = other % 3 === 0 ? at(model.people, other) : null;
    const named = sender?.email ? { email: sender.email.toUpperCase() } : null;
    const text = `shoutout ${model.activities.length}`;
    const answer = await workspace.give(
      aShoutout({ recipient, message: text, isPrivate: flag, ...(named && { sender: named }) }),
      { token },
    );
    const faults = [
      ...(kept?.active === false ? ['recipient'] : []),
      ...(named && sender && kept === survivor(sender) ? ['recipient'] : []),
      ...(named && sender?.active === false ? ['sender'] : []),
    ];
    if (faults.length > 0) {
      const told = refusal(answer, 400).split('; ');
      assert.deepEqual(
        told.map((fault) => fault.split(' ')[0]),
        faults,
      );
      return;
    }
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const receiver = findOrAdd(model, recipient, answer.body.receiver.id);
    const status = model.asksForApproval ? 'PENDING' : 'APPROVED';
    const from = named && sender ? survivor(sender) : null;
    assert.deepEqual(
      [answer.body.id, answer.body.status, answer.body.receiver.id, answer.body.sender.self],
      [model.activities.length + 1, status, receiver.id, from === null],
    );
    model.activities.push({ type: 'SHOUTOUT', status, sender: from, receiver, text, isPrivate: flag });
  },

  approve: (world, chosen) => decide(world, chosen, 'approve', 'APPROVED'),
  decline: (world, chosen) => decide(world, chosen, 'decline', 'DECLINED'),

  leave: (world, { who }) => setActive(world, who, false),
  return: (world, { who }) => setActive(world, who, true),

  async merge({ workspace, model }, { who, other }) {
    const [from, into] = [at(persons(model), who), at(persons(model), other)];
    if (from === into) return;
    await workspace.merge(from.id, into.id);
    into.firstName ||= from.firstName;
    for (const field of ['email', 'employeeNumber'] as const)
      if (into[field] === null) [into[field], from[field]] = [from[field], null];
    for (const field of fields) {
      into[field] ??= from[field];
      from[field] = null;
    }
    mergeManagers(model.people, from, into);
    if (into.teams.length === 0) into.teams = from.teams;
    from.teams = [];
    for (const one of model.people) if (one.mergedInto === from) one.mergedInto = into;
    from.mergedInto = into;
    for (const one of model.people) if (one.mergedInto === into) one.active = into.active;
  },

  async rename({ workspace, model }, { who, flag }) {
    const person = at(persons(model), who);
    if (person.email !== null) person.formerEmails = [...(person.formerEmails ?? []), person.email];
    person.email = flag ? `Renamed${model.named++}@example.com` : null;
    await workspace.change(person.id, { email: person.email });
  },

  async renumber({ workspace, model }, { who }) {
    const person = at(persons(model), who);
    person.employeeNumber = `r${model.named++}`;
    await workspace.change(person.id, { employeeNumber: person.employeeNumber });
  },

  async describe({ workspace, model }, { who, other }) {
    const person = at(persons(model), who);
    const field = at(fields, who);
    person[field] = field === 'currency' ? at(currencies, other) : at(words, other);
    await workspace.change(person.id, { [field]: person[field] });
  },

  async manage({ workspace, model }, { who, other }) {
    const [person, manager] = [at(persons(model), who), at(persons(model), other)];
    const isLoop = person !== manager && lineAbove(manager).has(person);
    if (isLoop) return assert.rejects(workspace.change(person.id, { managerId: manager.id }), /does not report/);
    person.manager = person === manager ? null : manager;
    await workspace.change(person.id, { managerId: person.manager?.id ?? null });
  },

  async join({ workspace, model }, { who, other }) {
    const [person, team] = [at(persons(model), who), at(teamNames, other)];
    await inTeams(workspace, team, person.id, joinTeams);
    if (!person.teams.includes(team)) person.teams.push(team);
  },

  async quit({ workspace, model }, { who, other }) {
    const [person, team] = [at(persons(model), who), at(teamNames, other)];
    await inTeams(workspace, team, person.id, leaveTeams);
    person.teams = person.teams.filter((name) => name !== team);
  },

  night: ({ workspace }, { who }) => workspace.passDays(1 + (who % 3)),

  async toggle(world) {
    const { workspace, model } = world;
    model.asksForApproval = !model.asksForApproval;
    const { asksForApproval } = model;
    await database.transaction((tx) => updateWorkspace(tx, workspace.id, { asksForApproval }));
    // An unused token has no cached grant.
    world.token = (await service.addToken({ workspaces: [workspace.id] })).token;
  },
};

async function decide(
  { workspace, token, model }: World,
  { who, flag }: Step,
  verb: 'approve' | 'decline',
  decision: 'APPROVED' | 'DECLINED',
): Promise<void> {
  const numbers = model.activities.flatMap(({ status }, nth) => (!flag || status === 'PENDING' ? [nth + 1] : []));
  if (numbers.length === 0) return;
  const number = at(numbers, who);
  const activity = model.activities[number - 1] as Recorded;
  const answer = await workspace.decide(number, verb, { token });
  if (activity.type === 'GIFT') refusal(answer, 404);
  else if (activity.status !== 'PENDING' && activity.status !== decision) refusal(answer, 409);
  else {
    activity.status = decision;
    assert.deepEqual([answer.status, answer.body.status], [200, decision]);
  }
}

async function setActive({ workspace, model }: World, who: number, active: boolean): Promise<void> {
  const person = at(persons(model), who);
  await workspace.change(person.id, { active });
  for (const one of model.people) if (survivor(one) === person) one.active = active;
}

async function inTeams(
  workspace: TestWorkspace,
  team: string,
  memberId: number,
  move: typeof joinTeams,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockWorkspace(tx, workspace.id);
    const teamId = (await findOrAddTeams(tx, workspace.id, [team])).get(team) as number;
    await move(tx, workspace.id, [{ memberId, teamId }]);
  });
}

const days = async ({ id }: TestWorkspace) =>
  (
    await database.query<{ day: string }>(
      `select (created_on at time zone 'utc')::date as day from activities where workspace_id = $1 order by number`,
      [id],
    )
  ).map(({ day }) => day);

/** Compares every page of both reports with the model. */
async function check({ workspace, model }: World, queries: Query[], size: number): Promise<void> {
  const living = model.activities.filter(({ status }) => status !== 'DECLINED').reverse();
  const summary = (kept: Kept) => ({ id: kept.id, email: kept.email ?? '', firstName: kept.firstName });
  const activities = await walk(size, living.length, async (paging) => {
    const { activities: listed, ...page } = await workspace.activity(`?${paging}`);
    return { page, rows: listed };
  });
  const teams = new Map(
    (
      await database.query<{ id: number; name: string }>('select id, name from teams where workspace_id = $1', [
        workspace.id,
      ])
    ).map(({ id, name }) => [id, name]),
  );
  assert.deepEqual(
    activities.map(({ status, type, description, isPrivate, receiver, sender, team }) => ({
      status,
      type,
      description,
      isPrivate,
      receiver: { id: receiver.id, email: receiver.email, firstName: receiver.firstName },
      sender: sender.firstName === 'Payroll' ? null : sender.id,
      team: teams.get(team),
    })),
    living.map(({ status, type, text, isPrivate, receiver, sender }) => ({
      status,
      type,
      description: text,
      isPrivate,
      receiver: summary(survivor(receiver)),
      sender: sender && survivor(sender).id,
      team: survivor(receiver).teams.at(-1) ?? 'Everyone',
    })),
  );

  const given = await days(workspace);
  for (const one of queries) {
    const expected = expectedRows(model, given, one);
    const { manager, ...rest } = one;
    const search = new URLSearchParams(
      Object.entries(rest).map(([name, value]): [string, string] => [name, `${value}`]),
    );
    if (manager !== undefined) search.set('manager', managerText(at(model.people, manager), manager));
    const rows = await walk(size, expected.length, async (paging) => {
      const { teamMembers, ...page } = await workspace.lastRecognized(`?${search}&${paging}`);
      return { page, rows: teamMembers };
    });
    assert.deepEqual(rows, expected, `${search}`);
    const { body } = await workspace.call<string>(`/api/v1/reports/members/last-recognized?${search}`, {
      headers: { Accept: 'text/csv' },
    });
    const lines = parse(body, { columns: true }) as Record<string, string>[];
    assert.deepEqual(
      lines.map(({ email, firstName, lastDate, type }) => [email, firstName, lastDate, type]),
      expected.map(({ teamMember, lastDate, type }) => [
        teamMember.email,
        teamMember.firstName,
        lastDate ?? '',
        type ?? '',
      ]),
      `${search} as CSV`,
    );
  }
}

/** Reads all pages of a size and the empty one after them, and checks their paging fields. */
async function walk<Row>(
  size: number,
  totalElements: number,
  read: (paging: string) => Promise<{ page: unknown; rows: Row[] }>,
): Promise<Row[]> {
  const walked: Row[] = [];
  const totalPages = Math.ceil(totalElements / size);
  for (let page = 0; page <= totalPages; page++) {
    const answer = await read(`page=${page}&size=${size}`);
    assert.deepEqual(answer.page, { page, size, totalElements, totalPages });
    walked.push(...answer.rows);
  }
  return walked;
}

async function openWorld(): Promise<World> {
  const people = Array.from({ length: 6 }, (_, nth) => ({
    email: nth % 3 ? `Person${nth}@example.com` : null,
    employeeNumber: nth % 4 === 1 ? null : `${nth % 2 ? 'e' : 'E'}${nth >> 1}`,
    firstName: nth === 4 ? '' : `P${nth}`,
    department: at(words, nth),
    costCentre: at(words, nth + 2),
    location: at(words, nth * 2),
    currency: at(currencies, nth),
    active: nth !== 5,
  }));
  const workspace = await openWorkspace(service, { people });
  const kept = people.map((person, nth) => ({
    ...person,
    id: workspace.memberIds[nth] as number,
    manager: null,
    mergedInto: null,
    teams: [],
  }));
  return {
    workspace,
    token: workspace.token,
    model: { people: kept, activities: [], asksForApproval: false, named: 0 },
  };
}

test('after any history of people and recognition, both reports equal a plain model', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 30, size: 'max' }),
      fc.array(query, { minLength: 2, maxLength: 4 }),
      fc.integer({ min: 1, max: 8 }),
      async (history, queries, size) => {
        // Violations left by an earlier run are not counted, so that a failure shrinks to its cause.
        const before = await readWrongs(database);
        const world = await openWorld();
        for (const one of history) await steps[one.kind](world, one);
        await check(world, [{}, { neverRecognized: true }, { includeInactive: true }, ...queries], size);
        assert.deepEqual(await readWrongs(database), before);
      },
    ),
    { numRuns: runs(60) },
  );
});
