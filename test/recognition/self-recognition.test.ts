import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateWorkspace } from '../../src/company/workspaces/workspaces.ts';
import type { Shoutout } from '../../src/ground/contract/shoutout.ts';
import { readWrongs } from '../support/books.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

const ann = { email: 'ann@example.com', employeeNumber: '1', firstName: 'Ann' };
const bob = { email: 'bob@example.com', employeeNumber: '2', firstName: 'Bob' };
const eve = { email: 'eve@example.com', employeeNumber: '3', firstName: 'Eve' };
const oldAnn = { email: 'ann@old.example.com', employeeNumber: '4' };
const self = /^recipient is the sender/;

/** Ann, who also has an older record, Bob and Eve; the workspace's own token acts as Ann. */
async function openCompany(settings: Parameters<typeof openWorkspace>[1] = {}) {
  const workspace = await openWorkspace(service, { people: [ann, bob, eve, oldAnn], actsAs: ann.email, ...settings });
  const [annId, , , oldId] = workspace.memberIds as [number, number, number, number];
  await workspace.merge(oldId, annId);
  const actingAs = async (who: string) => (await service.addToken({ workspaces: [workspace.id], actsAs: who })).token;
  return { ...workspace, asBob: await actingAs(bob.email), asEve: await actingAs(eve.email) };
}

const standing = async ({ call }: TestWorkspace, id: number) =>
  (await call<Shoutout>(`/api/v1/shoutouts/${id}`)).body.status;

test('nobody can give themselves a shoutout, under any address or number', async () => {
  const company = await openCompany();
  for (const recipient of [
    { email: 'ANN@example.com' },
    { employeeNumber: '1' },
    { email: 'ann@example.com', employeeNumber: '99' },
    { email: 'ann@old.example.com' },
    { employeeNumber: '4' },
  ])
    assert.match(refusal(await company.give(aShoutout({ recipient })), 400), self, JSON.stringify(recipient));
  assert.equal((await company.activity()).totalElements, 0);
  assert.equal((await company.given(aShoutout({ recipient: { employeeNumber: '2' } }))).receiver.email, bob.email);
});

test('nobody can give themselves a shoutout through a token that names the sender', async () => {
  const company = await openCompany();
  const thanked = (sender: object, recipient: object) => company.give(aShoutout({ sender, recipient }));
  assert.match(refusal(await thanked({ employeeNumber: '2' }, { email: 'bob@example.com' }), 400), self);
  assert.match(refusal(await thanked({ email: 'ann@example.com' }, { employeeNumber: '4' }), 400), self);
  assert.equal((await thanked({ email: 'bob@example.com' }, { email: 'ann@example.com' })).status, 201);
});

test('a workspace can allow self-recognition, and stop allowing it', async () => {
  const company = await openCompany({ allowsSelfRecognition: true });
  const body = aShoutout({ recipient: { employeeNumber: '1' } });
  const { sender, receiver } = await company.given(body);
  assert.equal(sender.id, receiver.id);
  await updateWorkspace(database, company.id, { allowsSelfRecognition: false });
  const { status } = await eventually(
    () => company.give(body),
    (answer) => answer.status !== 201,
  );
  assert.equal(status, 400);
});

test('the sender and the receiver of a shoutout cannot decide it, and others can', async () => {
  for (const allowsSelfRecognition of [false, true]) {
    const company = await openCompany({ asksForApproval: true, allowsSelfRecognition });
    const { id } = await company.given(aShoutout({ recipient: { employeeNumber: '2' } }));
    for (const verb of ['approve', 'decline'] as const) {
      assert.match(refusal(await company.decide(id, verb), 403), /the sender or the recipient/);
      assert.match(
        refusal(await company.decide(id, verb, { token: company.asBob }), 403),
        /the sender or the recipient/,
      );
    }
    assert.equal(await standing(company, id), 'PENDING');
    const { status, body } = await company.decide(id, 'approve', { token: company.asEve });
    assert.deepEqual([status, body.decidedBy?.email, body.decidedBy?.self], [200, eve.email, true]);
    refusal(await company.decide(id, 'approve'), 403);
  }
});

test('a sender or receiver who was merged since still cannot decide the shoutout', async () => {
  const company = await openCompany({ asksForApproval: true });
  const [annId, bobId, eveId] = company.memberIds as [number, number, number];
  const { id } = await company.given(aShoutout({ recipient: { employeeNumber: '2' } }));
  await company.merge(bobId, eveId);
  const bobIsEve = () => company.decide(id, 'approve', { token: company.asEve });
  refusal(await bobIsEve(), 403);
  await company.merge(annId, eveId);
  refusal(await bobIsEve(), 403);
  assert.equal(await standing(company, id), 'PENDING');
});

test('a shoutout that does not exist is a 404 for every caller', async () => {
  const company = await openCompany({ asksForApproval: true });
  await company.gift({ employeeNumber: '1' });
  for (const id of [1, 2]) refusal(await company.decide(id, 'approve'), 404);
});

test('a token that acts as an integration can decide any shoutout', async () => {
  const company = await openCompany({ asksForApproval: true });
  const { token } = await service.addToken({ workspaces: [company.id], name: 'Bot' });
  const { id } = await company.given(aShoutout(), { token });
  const { status, body } = await company.decide(id, 'decline', { token });
  assert.deepEqual([status, body.decidedBy?.firstName], [200, 'Bot']);
});

test('a shoutout shows who decided it, when and why, and team activity does not', async () => {
  const company = await openCompany({ asksForApproval: true });
  const undecided = await company.given(aShoutout({ recipient: { employeeNumber: '2' } }));
  assert.deepEqual(
    [undecided.decidedBy, undecided.decidedOn, undecided.decisionReason],
    [null, null, null],
    'nobody has decided it yet',
  );
  const token = company.asEve;
  for (const [verb, status] of [
    ['approve', 'APPROVED'],
    ['decline', 'DECLINED'],
  ] as const) {
    const { id } = await company.given(aShoutout({ recipient: { employeeNumber: '2' } }));
    const decided = await company.decide(id, verb, { token, body: { reason: ' Name the project. ' } });
    assert.equal(decided.status, 200, JSON.stringify(decided.body));
    const { decidedBy, decidedAt, decidedOn, decisionReason } = decided.body;
    assert.deepEqual([decidedBy?.email, decidedBy?.self, decisionReason], [eve.email, true, 'Name the project.']);
    assert.match(decidedOn ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
    assert.equal(decidedAt, `${decidedOn}Z`);
    assert.ok(String(decidedAt) > decided.body.createdAt);
    const seen = {
      ...decided.body,
      decidedBy: { ...decidedBy, self: false },
      sender: { ...decided.body.sender, self: true },
    };
    assert.deepEqual(await company.read(`/api/v1/shoutouts/${id}`), seen);
    assert.deepEqual((await company.shoutouts(`?status=${status}`)).shoutouts, [seen]);
  }
  const fields = 'status,sender,receiver,createdOn,description,reason,isPrivate,type,account,team'.split(',').sort();
  for (const activity of (await company.activity()).activities) assert.deepEqual(Object.keys(activity).sort(), fields);
});

test('a repeated decision changes nothing, and one with another reason is refused', async () => {
  const company = await openCompany({ asksForApproval: true });
  const { id } = await company.given(aShoutout({ recipient: { employeeNumber: '2' } }));
  const decline = (body?: unknown) =>
    company.decide(id, 'decline', { token: company.asEve, ...(body !== undefined && { body }) });
  const first = await decline({ reason: 'Why' });
  for (const body of [undefined, {}, null, { reason: null }, { reason: ' ' }, { reason: ' Why ' }])
    assert.deepEqual(await decline(body).then(({ status, body: record }) => ({ status, record })), {
      status: 200,
      record: first.body,
    });
  assert.match(refusal(await decline({ reason: 'Another' }), 409), /declined already.*leave the reason out/);
  assert.equal((await decline()).body.decisionReason, 'Why');
});

test('an invalid decision is refused by field, and nothing is decided', async () => {
  const company = await openCompany({ asksForApproval: true });
  const { id } = await company.given(aShoutout({ recipient: { employeeNumber: '2' } }));
  for (const reason of [5, true, ['x'], {}, 'x'.repeat(1_001), 'a\u0000b', '\ud800'])
    for (const verb of ['approve', 'decline'] as const)
      assert.match(
        refusal(await company.decide(id, verb, { token: company.asEve, body: { reason } }), 400),
        /^reason /,
        JSON.stringify(reason),
      );
  for (const body of ['[]', '"x"', '5', 'true', '{', '{"reason":'])
    refusal(await company.decide(id, 'decline', { token: company.asEve, body }), 400);
  assert.equal(await standing(company, id), 'PENDING');
  const longest = '\u{1f381}'.repeat(1_000);
  const { body } = await company.decide(id, 'decline', { token: company.asEve, body: { reason: longest } });
  assert.equal(body.decisionReason, longest);
});

test('after all of this the books agree, and no request failed', async () => {
  assert.deepEqual(await readWrongs(database), []);
  assert.deepEqual(
    service.logLines().filter(({ level }) => Number(level) >= 50),
    [],
  );
});
