import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
// Accepts orders and fulfils none, so they stay pending.
const accepting = await startService({ role: 'api' });
const john = { email: 'john@example.com' };
const unknown = 'recipient.employeeNumber is not known in this workspace';

const nameOf = async ({ read }: TestWorkspace, id: number) => {
  const { firstName, lastName } = await read<Record<string, string>>(`/api/v1/members/${id}`);
  return `${firstName} ${lastName}`;
};

test('an employee number beside an e-mail means that person in every line of the order', async () => {
  const workspace = await openWorkspace(service);
  const [before, beside, after] = await workspace.gift(
    { employeeNumber: '77' },
    { ...john, employeeNumber: '77' },
    { employeeNumber: '77' },
  );
  assert.deepEqual([before, after], [beside, beside]);
  assert.deepEqual(await workspace.gift({ employeeNumber: '77' }), [beside]);
});

test('a number that an earlier order gave alone keeps its person', async () => {
  const workspace = await openWorkspace(service);
  const [alone] = await workspace.gift({ employeeNumber: '77' });
  const [beside, again] = await workspace.gift({ ...john, employeeNumber: '77' }, { employeeNumber: '77' });
  assert.notEqual(beside, alone);
  assert.equal(again, alone);
});

test("a second number beside a person's e-mail means them in that order only", async () => {
  const workspace = await openWorkspace(service, { people: [{ ...john, employeeNumber: '1' }] });
  const [known] = workspace.memberIds;
  assert.deepEqual(await workspace.gift({ ...john, employeeNumber: '77' }, { employeeNumber: '77' }), [known, known]);
  assert.notDeepEqual(await workspace.gift({ employeeNumber: '77' }), [known]);
});

test('where unknown numbers are refused, a number beside an e-mail in the same order is known', async () => {
  const workspace = await openWorkspace(service, { refusesUnknownEmployeeNumbers: true });
  assert.equal(
    refusal(
      await workspace.order([{ employeeNumber: '8' }, { employeeNumber: '9' }, { ...john, employeeNumber: '9' }]),
      400,
    ),
    `orderItems[0].${unknown}`,
  );
  const [alone, beside] = await workspace.gift({ employeeNumber: '9' }, { ...john, employeeNumber: '9' });
  assert.equal(alone, beside);
});

test('an order that waits for fulfilment makes its numbers known to later orders and shoutouts', async () => {
  const workspace = await openWorkspace(accepting, {
    refusesUnknownEmployeeNumbers: true,
    people: [{ email: 'ann@example.com', employeeNumber: '1' }],
  });
  const shout = (recipient: object) => workspace.give(aShoutout({ recipient }));
  refusal(await workspace.order([{ employeeNumber: '9' }]), 400);
  refusal(await shout({ employeeNumber: '9' }), 400);
  assert.equal((await workspace.order([{ ...john, employeeNumber: '9', firstName: 'John' }])).status, 201);
  assert.equal((await workspace.order([{ employeeNumber: '9' }])).status, 201);
  const { status, body } = await shout({ employeeNumber: '9', firstName: 'Jack' });
  assert.deepEqual([status, body.receiver?.email, body.receiver?.firstName], [201, john.email, 'John']);
  // Ann has a number already: the order does not give her another one.
  assert.equal((await workspace.order([{ email: 'ann@example.com', employeeNumber: '10' }])).status, 201);
  refusal(await workspace.order([{ employeeNumber: '10' }]), 400);
  refusal(await shout({ employeeNumber: '10' }), 400);
});

test('a member without a name gets it from the next order or shoutout that has one, and keeps it', async () => {
  const workspace = await openWorkspace(service);
  const [byEmail, byNumber] = (await workspace.gift(john, { employeeNumber: '5' })) as [number, number];
  assert.deepEqual([await nameOf(workspace, byEmail), await nameOf(workspace, byNumber)], [' ', ' ']);
  await workspace.gift(
    { employeeNumber: '5', firstName: 'Five' },
    { email: 'JOHN@example.com', firstName: ' John ', lastName: 'Doe' },
  );
  assert.deepEqual([await nameOf(workspace, byEmail), await nameOf(workspace, byNumber)], ['John Doe', 'Five ']);
  await workspace.given(aShoutout({ recipient: { employeeNumber: '5', firstName: 'Six', lastName: 'Senses' } }));
  await workspace.gift({ ...john, firstName: 'Jack', lastName: 'Roe' });
  assert.deepEqual([await nameOf(workspace, byEmail), await nameOf(workspace, byNumber)], ['John Doe', 'Five Senses']);
  const { members } = await workspace.members('?search=senses');
  assert.deepEqual(
    members.map(({ id }) => id),
    [byNumber],
    'a search finds them by it',
  );
});
