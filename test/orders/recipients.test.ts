import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBooks } from '../support/books.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { listMembers, type StoredMember } from '../support/stored-members.ts';
import { openWorkspace } from '../support/workspace.ts';

// Nodes of one installation share the key; a service of the tests has its own folder.
const tokenKey = 'the-key-that-all-nodes-of-this-file-share';
const service = await startService({ tokenKey });
const { database } = service;

test('one order may mix recipients by e-mail and by employee number', async () => {
  const workspace = await openWorkspace(service);
  const got = await workspace.gift({ email: 'a@example.com' }, { employeeNumber: '7' }, { email: 'b@example.com' });
  const members = await listMembers(database, workspace.id);
  const idOf = (known: Partial<StoredMember>) =>
    members.find(({ email, employeeNumber }) => email === known.email && employeeNumber === known.employeeNumber)?.id;
  assert.deepEqual(got, [
    idOf({ email: 'a@example.com', employeeNumber: null }),
    idOf({ email: null, employeeNumber: '7' }),
    idOf({ email: 'b@example.com', employeeNumber: null }),
  ]);
  assert.equal(new Set(got).size, 3);
  assert.ok(got.every(Number.isInteger));
});

test("with both present the gift goes to the person with that e-mail, not to the number's owner", async () => {
  const workspace = await openWorkspace(service);
  const [ada, bob] = await workspace.gift({ email: 'ada@example.com' }, { employeeNumber: '1' });
  assert.deepEqual(await workspace.gift({ email: 'ada@example.com', employeeNumber: '1' }), [ada]);
  const [eve] = await workspace.gift({ email: 'eve@example.com', employeeNumber: '1' });
  assert.deepEqual(await workspace.gift({ employeeNumber: '1' }, { email: 'eve@example.com' }), [bob, eve]);
  const numbers = (await listMembers(database, workspace.id)).map(({ id, employeeNumber }) => [id, employeeNumber]);
  assert.deepEqual(Object.fromEntries(numbers), { [ada as number]: null, [bob as number]: '1', [eve as number]: null });
});

test('an employee number beside an e-mail is recorded if that person has none and nobody else has it', async () => {
  const workspace = await openWorkspace(service);
  const [ada, bob] = await workspace.gift(
    { email: 'ada@example.com' },
    { email: 'bob@example.com', employeeNumber: '2' },
  );
  assert.deepEqual(await workspace.gift({ employeeNumber: '2' }), [bob]);
  await workspace.gift({ email: 'ADA@example.com', employeeNumber: '1' });
  await workspace.gift(
    { email: 'ada@example.com', employeeNumber: '9' },
    { email: 'bob@example.com', employeeNumber: '8' },
  );
  assert.deepEqual(await workspace.gift({ employeeNumber: '1' }, { employeeNumber: '2' }), [ada, bob]);
  assert.deepEqual(
    (await listMembers(database, workspace.id)).map(({ employeeNumber }) => employeeNumber),
    ['1', '2'],
  );
});

test('within an order the first person with a number gets it, and a number nobody takes stays free', async () => {
  const workspace = await openWorkspace(service);
  const gifts = [
    { email: 'ada@example.com', employeeNumber: 'A' },
    { email: 'bob@example.com', employeeNumber: 'A' },
    { email: 'ada@example.com', employeeNumber: 'B' },
    { email: 'bob@example.com', employeeNumber: 'B' },
    { employeeNumber: 'B' },
  ];
  const [ada, bob, ...others] = await workspace.gift(...gifts);
  assert.deepEqual(others, [ada, bob, bob]);
  assert.deepEqual(
    (await listMembers(database, workspace.id)).map(({ email, employeeNumber }) => [email, employeeNumber]),
    [
      ['ada@example.com', 'A'],
      ['bob@example.com', 'B'],
    ],
  );
});

test('e-mails that differ only in case are one person, in one order and in later ones', async () => {
  const workspace = await openWorkspace(service);
  const spellings = ['Ada.L@Example.com', 'ada.l@example.com', 'ADA.L@EXAMPLE.COM'].map((email) => ({ email }));
  const ids = new Set([...(await workspace.gift(...spellings)), ...(await workspace.gift(...spellings.reverse()))]);
  assert.equal(ids.size, 1);
  const members = await listMembers(database, workspace.id);
  assert.deepEqual(
    members.map(({ email, recognitions }) => [email, recognitions]),
    [['Ada.L@Example.com', 6]],
  );
});

test('employee numbers are compared exactly after trimming', async () => {
  const workspace = await openWorkspace(service);
  const same = await workspace.gift(
    ...['x7', ' x7', 'x7\t', '\u00a0x7\n'].map((employeeNumber) => ({ employeeNumber })),
  );
  assert.equal(new Set(same).size, 1);
  const others = ['X7', 'x07', '7', '07', 'x 7', 'é', 'e\u0301'].map((employeeNumber) => ({ employeeNumber }));
  assert.equal(new Set([...same, ...(await workspace.gift(...others))]).size, 1 + others.length);
});

test('a new recipient gets the first spelling and names given; a known one keeps theirs', async () => {
  const workspace = await openWorkspace(service);
  const [id] = await workspace.gift(
    { email: 'Grace@Example.com', firstName: ' Grace ', lastName: 'Hopper' },
    { email: 'grace@example.com', firstName: 'Rear Admiral', lastName: 'H.' },
  );
  await workspace.gift({ email: 'grace@example.com', firstName: 'Somebody', lastName: 'Else', employeeNumber: '5' });
  await workspace.gift({ employeeNumber: '5', firstName: 'Nobody' }, { employeeNumber: '6', lastName: 'Six' });
  const members = (await listMembers(database, workspace.id)).map(
    ({ recognitions: _, lastDate: __, lastType: ___, ...rest }) => rest,
  );
  assert.deepEqual(members[0], {
    id,
    email: 'Grace@Example.com',
    employeeNumber: '5',
    firstName: 'Grace',
    lastName: 'Hopper',
  });
  assert.deepEqual(
    { ...members[1], id: 0 },
    { id: 0, email: null, employeeNumber: '6', firstName: '', lastName: 'Six' },
  );
});

test('the same person in another workspace is another member', async () => {
  const [one, other] = [await openWorkspace(service), await openWorkspace(service)];
  const to = { email: 'ada@example.com', employeeNumber: '1' };
  assert.notDeepEqual(await one.gift(to), await other.gift(to));
});

test('the same person in fifty concurrent orders, over two nodes, is one member', async () => {
  const node = await startService({ tokenKey, databaseUrl: database.url });
  const workspace = await openWorkspace(service);
  const spellings = ['new@example.com', 'New@example.com', 'NEW@EXAMPLE.COM'];
  const requestIds = await Promise.all(
    Array.from({ length: 50 }, (_, nth) => {
      const byEmail = aGift({ recipient: { email: spellings[nth % 3], employeeNumber: '50' } });
      return workspace.submit(
        [byEmail, aGift({ recipient: { employeeNumber: '51' } }), byEmail],
        nth % 2 ? node : service,
      );
    }),
  );
  const records = await Promise.all(requestIds.map(workspace.outcome));
  assert.ok(records.every(({ state }) => state === 'COMPLETED'));
  assert.deepEqual(
    (await listMembers(database, workspace.id))
      .map(({ employeeNumber, recognitions }) => [employeeNumber, recognitions])
      .sort(),
    [
      ['50', 100],
      ['51', 50],
    ],
  );
  await checkBooks(database, workspace.id, 150);
  await node.stop();
});
