import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Member } from '../../src/ground/contract/member.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const workspace = await openWorkspace(service, {
  people: [
    { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor', employeeNumber: '1' },
    { email: 'li@example.com', firstName: 'Li', employeeNumber: '2' },
  ],
});
const [ada = 0, li = 0] = workspace.memberIds;

const send = (method: string, path: string, body?: unknown) =>
  workspace.call<Member>(`/api/v1/members${path}`, { method, ...(body !== undefined && { body }) });
async function done(method: string, path: string, body?: unknown): Promise<Member> {
  const answer = await send(method, path, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}
const memberOf = (id: number) => workspace.read<Member>(`/api/v1/members/${id}`);

test('a person is added with an address or a number, in a team, under a manager', async () => {
  const fields = { email: ' Nia@example.com ', firstName: 'Nia', team: 'Platform', managerId: ada, lastName: '  ' };
  const nia = await done('POST', '', fields);
  assert.partialDeepStrictEqual(nia, {
    email: 'Nia@example.com',
    lastName: '',
    team: { name: 'Platform' },
    manager: { id: ada },
    active: true,
    recognitions: 0,
    lastRecognizedOn: null,
    provisioned: false,
  });
  assert.deepEqual(await memberOf(nia.id), nia);
  assert.match(refusal(await send('POST', '', { firstName: 'Nobody' }), 400), /^email is required/);
  assert.match(
    refusal(await send('POST', '', { email: 'NIA@example.com' }), 409),
    /^email belongs to Nia \(member \d+\)/,
  );
});

test('fields that are sent change, null and blank clear, the others stay', async () => {
  await done('PATCH', `/${li}`, { department: 'Sales', location: 'Chicago', managerId: ada });
  const changed = await done('PATCH', `/${li}`, { department: null, location: ' ', lastName: 'Wei' });
  assert.partialDeepStrictEqual(changed, { department: null, location: null, lastName: 'Wei', firstName: 'Li' });
  assert.equal(changed.manager?.id, ada);
  assert.equal((await done('PATCH', `/${li}`, { managerId: null })).manager, null);
});

test('somebody else keeps their address and number; a wrong field is named', async () => {
  assert.match(
    refusal(await send('PATCH', `/${li}`, { email: 'ADA@example.com' }), 409),
    /^email belongs to Ada Okafor/,
  );
  assert.match(refusal(await send('PATCH', `/${li}`, { employeeNumber: '1' }), 409), /^employeeNumber belongs to Ada/);
  for (const [body, says] of [
    [{ email: 'ada' }, /email must be an e-mail address/],
    [{ currency: 'XXY' }, /currency must be/],
    [{ avatar: 'javascript:alert(1)' }, /must be an http or https URL/],
    [{ avatar: 'https://user:pw@example.com/a.png' }, /must not have a user name or password/],
    [{ managerId: 999_999 }, /managerId is no member/],
    [{ managerId: li }, /managerId must be another person/],
    [{ firstName: 'x'.repeat(101) }, /firstName must have at most 100/],
    [{ team: 7 }, /team must be/],
  ] as const)
    assert.match(refusal(await send('PATCH', `/${li}`, body), 400), says, JSON.stringify(body));
  refusal(await send('PATCH', '/999999', { firstName: 'X' }), 404);
});

test('nobody becomes the manager of the people they report to', async () => {
  await done('PATCH', `/${li}`, { managerId: ada });
  assert.match(refusal(await send('PATCH', `/${ada}`, { managerId: li }), 400), /does not report to this one/);
});

test('people leave, keep the day, and return', async () => {
  const gone = await done('POST', `/${li}/leave`, { leftOn: '2026-02-28' });
  assert.deepEqual([gone.active, gone.leftOn], [false, '2026-02-28']);
  assert.equal((await done('POST', `/${li}/leave`)).leftOn, '2026-02-28');
  assert.equal((await done('POST', `/${li}/leave`, { leftOn: '2199-01-01' })).leftOn, '2026-02-28');
  const back = await done('POST', `/${li}/return`);
  assert.deepEqual([back.active, back.leftOn], [true, null]);
});

test('two records of one person become one, which both ids lead to', async () => {
  const twin = await done('POST', '', { employeeNumber: 'twin', department: 'Sales' });
  await workspace.gift({ employeeNumber: 'twin' }, { email: 'ada@example.com' });
  assert.match(refusal(await send('POST', `/${twin.id}/merge`, { into: twin.id }), 400), /into must be another record/);
  assert.match(refusal(await send('POST', `/${twin.id}/merge`, { into: 999_999 }), 400), /into is no member/);
  const kept = await done('POST', `/${twin.id}/merge`, { into: ada });
  assert.partialDeepStrictEqual(kept, { id: ada, department: 'Sales', recognitions: 2, lastRecognizedBy: 'GIFT' });
  assert.equal((await memberOf(twin.id)).id, ada);
  refusal(await send('PATCH', `/${twin.id}`, { firstName: 'X' }), 404);
});

test('`id:` in a manager filter means an id, and never an employee number', async () => {
  await done('PATCH', `/${li}`, { employeeNumber: null });
  const boss = await done('POST', '', { email: 'boss@example.com', employeeNumber: String(ada) });
  await done('PATCH', `/${li}`, { managerId: boss.id });
  const reports = async (manager: string) =>
    (await workspace.members(`?manager=${manager}`)).members.map(({ id }) => id);
  assert.ok((await reports(String(ada))).includes(li));
  assert.ok(!(await reports(`id:${ada}`)).includes(li));
  assert.deepEqual(await reports(`id:${boss.id}`), [li]);
});

test('a token without directory:write changes nobody, and a stranger is not found', async () => {
  const { token } = await service.addToken({ workspaces: [workspace.id], scopes: ['directory:read'] });
  const answer = await workspace.call(`/api/v1/members/${ada}`, { method: 'PATCH', token, body: { firstName: 'X' } });
  refusal(answer, 403);
  const elsewhere = await openWorkspace(service);
  refusal(await elsewhere.call(`/api/v1/members/${ada}/leave`, { method: 'POST' }), 404);
});
