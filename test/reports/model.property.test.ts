import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { OrderRecord, OrderRequestStatus } from '../../src/contract/order.ts';
import type { Queryable } from '../../src/database/database.ts';
import { mergeMembers } from '../../src/directory/merge.ts';
import { updateMembers } from '../../src/directory/save.ts';
import { findOrAddTeams, joinTeams, leaveTeams } from '../../src/directory/teams.ts';
import { lockWorkspaces } from '../../src/workspaces/lock.ts';
import { updateWorkspace } from '../../src/workspaces/workspaces.ts';
import { readWrongs } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

/** A record of the directory: a person, or an earlier one that was merged into a person. */
interface Kept {
  id: number;
  email: string | null;
  employeeNumber: string | null;
  firstName: string;
  department: string | null;
  costCentre: string | null;
  location: string | null;
  currency: string | null;
  manager: Kept | null;
  active: boolean;
  mergedInto: Kept | null;
  /** In the order in which they were joined. */
  teams: string[];
}

interface Recorded {
  type: 'GIFT' | 'SHOUTOUT';
  status: 'PENDING' | 'APPROVED' | 'DECLINED';
  /** Null stands for an integration. */
  sender: Kept | null;
  receiver: Kept;
  text: string;
  isPrivate: boolean;
}

/** What both reports are about, in plain lists: the nth activity has the number n + 1. */
interface Model {
  people: Kept[];
  activities: Recorded[];
  asksForApproval: boolean;
  named: number;
}

interface World {
  workspace: TestWorkspace;
  token: string;
  model: Model;
}

const words = ['Care', 'CARE', 'Équipe', 'équipe', 'a%', null] as const;
const currencies = ['CAD', 'USD', null] as const;
const teamNames = ['Voice', 'Web', 'Ops'];
const fields = ['department', 'costCentre', 'location', 'currency'] as const;

const survivor = (kept: Kept) => kept.mergedInto ?? kept;
const same = (one: string | null, other: string | null) =>
  one !== null && other !== null && one.toLowerCase() === other.toLowerCase();
const at = <T>(list: readonly T[], which: number): T => list[which % list.length] as T;
const persons = ({ people }: Model) => people.filter(({ mergedInto }) => mergedInto === null);

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
    into.manager ??= from.manager === into ? null : from.manager;
    from.manager = null;
    if (into.teams.length === 0) into.teams = from.teams;
    from.teams = [];
    for (const one of model.people) {
      if (one.manager === from) one.manager = one === into ? null : into;
      if (one.mergedInto === from) one.mergedInto = into;
    }
    from.mergedInto = into;
    for (const one of model.people) if (one.mergedInto === into) one.active = into.active;
  },

  async rename({ workspace, model }, { who, flag }) {
    const person = at(persons(model), who);
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
    // Nothing is kept of a token that nobody has used yet.
    world.token = (await service.addToken({ workspaces: [workspace.id] })).token;
  },
};

/** How a sender names somebody: known by any address that leads to them, or new. */
function wish(model: Model, who: number, byNumber: boolean) {
  const known = at(model.people, who);
  const isNew = who % 5 === 0 || (known.email === null && known.employeeNumber === null);
  const name = `new${who % 7}`;
  const wanted = isNew ? { email: `${name}@example.com`, employeeNumber: name } : known;
  const takesNumber = wanted.employeeNumber !== null && (byNumber || wanted.email === null);
  const recipient = takesNumber
    ? { employeeNumber: wanted.employeeNumber as string, firstName: name }
    : { email: who % 2 ? (wanted.email as string).toUpperCase() : (wanted.email as string), firstName: name };
  return { recipient, kept: find(model, recipient) };
}

function find({ people }: Model, { email, employeeNumber }: { email?: string; employeeNumber?: string }): Kept | null {
  const found = people.find((one) =>
    email === undefined ? one.employeeNumber === employeeNumber : same(one.email, email),
  );
  return found ? survivor(found) : null;
}

type Named = { email?: string; employeeNumber?: string; firstName: string };

function findOrAdd(model: Model, recipient: Named, id: number): Kept {
  const known = find(model, recipient);
  if (known) known.firstName ||= recipient.firstName;
  if (known) return known;
  const nothing = { department: null, costCentre: null, location: null, currency: null, manager: null };
  const { email = null, employeeNumber = null, firstName } = recipient;
  const added = { id, email, employeeNumber, firstName, ...nothing, active: true, mergedInto: null, teams: [] };
  model.people.push(added);
  return added;
}

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
    await lockWorkspaces(tx, [workspace.id]);
    const teamId = (await findOrAddTeams(tx, workspace.id, [team])).get(team) as number;
    await move(tx, workspace.id, [{ memberId, teamId }]);
  });
}

const query = fc.record(
  {
    department: fc.constantFrom('care', 'ÉQUIPE', 'A%', '%'),
    costCentre: fc.constantFrom('CARE', 'équipe'),
    location: fc.constantFrom('care', 'a%'),
    currency: fc.constantFrom('cad', 'USD'),
    employeeNumber: fc.constantFrom('E0', 'e1', 'new0'),
    manager: fc.nat(50),
    neverRecognized: fc.boolean(),
    includeInactive: fc.boolean(),
  },
  { requiredKeys: [] },
);
type Query = Parameters<Parameters<typeof query.map>[0]>[0];

const days = async ({ id }: TestWorkspace) =>
  (
    await database.query<{ day: string }>(
      `select (created_on at time zone 'utc')::date as day from activities where workspace_id = $1 order by number`,
      [id],
    )
  ).map(({ day }) => day);

/** Every page of both reports, against the lists. */
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

const managerText = ({ id, email, employeeNumber }: Kept, which: number) =>
  at([`${id}`, email?.toUpperCase() ?? `${id}`, employeeNumber?.toUpperCase() ?? `${id}`], which);

function expectedRows(model: Model, given: string[], { neverRecognized = false, includeInactive, ...query }: Query) {
  const lead = query.manager === undefined ? null : at(model.people, query.manager);
  const text = lead && managerText(lead, query.manager as number);
  const leads = model.people
    .filter(({ id, email, employeeNumber }) => `${id}` === text || same(email, text) || same(employeeNumber, text))
    .map(survivor);
  return persons(model)
    .map((person) => {
      const last = model.activities.findLastIndex(
        ({ status, receiver }) => status === 'APPROVED' && survivor(receiver) === person,
      );
      const activity = model.activities[last];
      return { person, lastDate: activity ? (given[last] as string) : null, type: activity?.type ?? null };
    })
    .filter(({ lastDate }) => (lastDate === null) === neverRecognized)
    .filter(({ person }) => includeInactive || person.active)
    .filter(({ person }) => fields.every((field) => query[field] === undefined || same(person[field], query[field])))
    .filter(({ person }) => query.employeeNumber === undefined || same(person.employeeNumber, query.employeeNumber))
    .filter(({ person }) => lead === null || (person.manager !== null && leads.includes(person.manager)))
    .sort((a, b) => (b.lastDate ?? '').localeCompare(a.lastDate ?? '') || a.person.id - b.person.id)
    .map(({ person, lastDate, type }) => ({
      teamMember: { email: person.email ?? '', firstName: person.firstName, lastName: '' },
      lastDate,
      type,
    }));
}

/** All pages of a size and the empty one behind them, whose fields have to be those of so many elements. */
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

test('whatever happened to people and recognition, both reports are what plain lists say', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 30, size: 'max' }),
      fc.array(query, { minLength: 2, maxLength: 4 }),
      fc.integer({ min: 1, max: 8 }),
      async (history, queries, size) => {
        // What an earlier run left wrong is not this one's fault: a failure shrinks to what causes it.
        const before = await readWrongs(database);
        const world = await openWorld();
        for (const one of history) await steps[one.kind](world, one);
        await check(world, [{}, { neverRecognized: true }, { includeInactive: true }, ...queries], size);
        assert.deepEqual(await readWrongs(database), before);
      },
    ),
    { numRuns: 60 },
  );
});

test('while all of it happens at once, every page agrees with its total, and the books agree afterwards', async () => {
  const before = await readWrongs(database);
  const people = Array.from({ length: 30 }, (_, nth) => ({ email: `p${nth}@example.com`, employeeNumber: `${nth}` }));
  const workspace = await openWorkspace(service, { people, asksForApproval: true });
  const { id, memberIds } = workspace;
  // Two at a time: the requests beside them wait for the workspace's lock no longer than they may.
  const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
  const inLane = (who: number, work: () => Promise<{ status: number }>) => {
    const mine = (lanes[who % lanes.length] as Promise<unknown>).then(work);
    lanes[who % lanes.length] = mine.catch(() => {});
    return mine;
  };
  const inDirectory = (who: number, work: (tx: Queryable, memberId: number) => Promise<unknown>) =>
    inLane(who, () => change(who, work));
  const change = (who: number, work: (tx: Queryable, memberId: number) => Promise<unknown>) =>
    database.transaction(async (tx) => {
      await lockWorkspaces(tx, [id]);
      const [row] = await tx.query<{ id: number }>(
        'select coalesce(merged_into, id) as id from members where workspace_id = $1 and id = $2',
        [id, at(memberIds, who)],
      );
      await work(tx, row?.id as number);
      return { status: 200 };
    });
  const order = (who: number) => {
    const gifts = [who, who * 7, who + 40].map((one) => aGift({ recipient: { email: `P${one % 45}@example.com` } }));
    return workspace.call('/api/v1/orders', { method: 'POST', body: anOrder({ orderItems: gifts }) });
  };
  const acts: ((who: number) => Promise<{ status: number }>)[] = [
    order,
    (who) => workspace.give(aShoutout({ recipient: { employeeNumber: `${who % 40}` } })),
    (who) => workspace.give(aShoutout({ recipient: { email: `p${who % 50}@example.com` } })),
    (who) => workspace.decide(1 + (who % 60), 'approve'),
    (who) => workspace.decide(1 + (who % 60), 'decline'),
    (who) => inDirectory(who, (tx, memberId) => updateMembers(tx, id, [{ id: memberId, active: who % 2 === 0 }])),
    (who) => inDirectory(who, (tx, memberId) => updateMembers(tx, id, [{ id: memberId, department: `D${who % 3}` }])),
    (who) =>
      inDirectory(who, async (tx, memberId) => {
        const teams = await findOrAddTeams(tx, id, [at(teamNames, who)]);
        await joinTeams(tx, id, [{ memberId, teamId: teams.get(at(teamNames, who)) as number }]);
      }),
    (who) =>
      inDirectory(who, async (tx, memberId) => {
        const [other] = await tx.query<{ id: number }>(
          'select coalesce(merged_into, id) as id from members where workspace_id = $1 and id = $2',
          [id, at(memberIds, who * 3 + 1)],
        );
        if (who % 4 === 0 && other && other.id !== memberId) await mergeMembers(tx, id, memberId, other.id);
      }),
    async (who) => {
      const { activities, totalElements } = await workspace.activity('?size=1000');
      assert.equal(activities.length, totalElements);
      for (const query of ['', '&includeInactive=true', `&department=d${who % 3}`, '&neverRecognized=true']) {
        const recognized = await workspace.lastRecognized(`?size=1000${query}`);
        assert.equal(recognized.teamMembers.length, recognized.totalElements, query);
      }
      return { status: 200 };
    },
  ];
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, nth) => at(acts, nth)(round * 131 + nth * 17 + Math.floor(nth / acts.length))),
    );
    for (const { status } of answers) assert.ok([200, 201, 400, 404, 409].includes(status), `${status}`);
  }
  await eventually(
    () =>
      database.query<{ waiting: number }>(
        `select count(*) as waiting from order_requests r left join orders o using (workspace_id, request_id)
          where workspace_id = $1 and o.request_id is null`,
        [id],
      ),
    ([row]) => row?.waiting === 0,
  );
  assert.deepEqual(await readWrongs(database), before);
});
