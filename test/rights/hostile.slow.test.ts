import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { readErasure, requestErasure } from '../../src/insight/rights/erasures.ts';
import { listObstacles } from '../../src/insight/rights/obstacles.ts';
import { runErasure } from '../../src/insight/rights/run.ts';
import { setRule } from '../support/approvals.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { connectScim, enterprise } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { findTraces, keptTables } from '../support/traces.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

// Ways in which an erased person could stay or come back.

const service = await startService({ mailServer: 'outbox', tokenKey: 'k'.repeat(32) });
const { database } = service;

let nth = 0;

/** A company with a person whose name, addresses and number are nowhere else. */
async function openCompany() {
  const mark = `qazwsx${++nth}x`;
  const person = {
    email: `${mark}@example.com`,
    employeeNumber: `É-${mark}`,
    firstName: `Tomás${mark}`,
    lastName: `Rivera${mark}`,
  };
  const workspace = await openWorkspace(service, {
    people: [
      { ...person, email: `old.${mark}@example.com` },
      { email: 'ada@example.com', firstName: 'Ada' },
    ],
    actsAs: 'ada@example.com',
  });
  const [id = 0, ada = 0] = workspace.memberIds;
  await workspace.change(id, { email: person.email });
  const erase = async () => {
    await database.transaction((tx) => requestErasure(tx, atTheCommandLine, workspace.id, id));
    await database.query('update erasures set due_at = now() where workspace_id = $1', [workspace.id]);
    await finish();
  };
  const finish = () =>
    eventually(
      async () => {
        while (await runErasure(database));
        return (await readErasure(database, workspace.id, id))?.state;
      },
      (state) => state === 'DONE',
    );
  /** Where the person is named: tables, without those of the law. */
  const named = async () => {
    const found = await findTraces(database, [mark]);
    return found.filter(({ table }) => !keptTables.includes(table)).map(({ table, row }) => `${table}: ${row}`);
  };
  const send = (file: string) =>
    workspace.call<{ added: number; rejected: number }>('/api/v1/members/import', {
      method: 'POST',
      body: file,
      headers: { 'Content-Type': 'text/csv' },
    });
  return { workspace, id, ada, mark, person, erase, finish, named, send };
}

test('an import that names the person runs beside the erasure', async () => {
  const { workspace, id, person, finish, named, send } = await openCompany();
  const others = Array.from({ length: 1_500 }, (_, one) => `p${one}@example.com,,P,${one},${person.email}\n`);
  const row = `${person.email},${person.employeeNumber},${person.firstName},${person.lastName},\n`;
  const file = ['email,employeeNumber,firstName,lastName,manager\n', row, ...others].join('');
  await database.transaction((tx) => requestErasure(tx, atTheCommandLine, workspace.id, id));
  const importing = send(file);
  await eventually(async () => (await workspace.members('?size=1')).totalElements > 100);
  await database.query('update erasures set due_at = now() where workspace_id = $1', [workspace.id]);
  await finish();
  const { status, body } = await importing;
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(await named(), []);
  const again = await send(file);
  assert.deepEqual([again.status, again.body.added], [200, 0], JSON.stringify(again.body).slice(0, 400));
  assert.deepEqual(await named(), []);
});

test('a text that names the person with accents behind their letters is scrubbed too', async () => {
  const { workspace, person, erase, named } = await openCompany();
  await workspace.addPeople([{ email: 'ben@example.com' }]);
  const name = `${person.firstName} ${person.lastName}`.normalize('NFD');
  const message = `Ask ${name} (${person.employeeNumber.normalize('NFD')})`;
  await workspace.given(aShoutout({ recipient: { email: 'ben@example.com' }, message }));
  await erase();
  assert.deepEqual(await named(), []);
});

test('an order that waits under a former or a further address, or a login, has to be decided first', async () => {
  const { workspace, id, mark } = await openCompany();
  const scim = await connectScim(service, workspace.id);
  const emails = [{ value: `${mark}@example.com`, primary: true }, { value: `further.${mark}@example.com` }];
  const { status, body } = await scim.put(`/Users/${id}`, {
    userName: `login.${mark}@example.com`,
    emails,
    active: true,
  });
  assert.equal(status, 200, JSON.stringify(body));
  await setRule(database, workspace.id, { name: 'Large gifts', currency: 'CAD', above: 0 });
  for (const address of ['old', 'further', 'login']) {
    const email = `${address}.${mark}@EXAMPLE.com`;
    const order = anOrder({ currency: 'CAD', orderItems: [aGift({ recipient: { email } })] });
    const requestId = await eventually(async () => {
      const sent = await workspace.call<{ requestId: string }>('/api/v1/orders', { method: 'POST', body: order });
      const held = await database.query('select from held_orders where workspace_id = $1 and request_id = $2', [
        workspace.id,
        sent.body.requestId,
      ]);
      if (held.length > 0) return sent.body.requestId;
      await workspace.outcome(sent.body.requestId);
      return '';
    });
    const kinds = (await listObstacles(database, workspace.id, id)).map(({ kind }) => kind);
    assert.ok(kinds.includes('PENDING_ORDERS'), address);
    await database.query(`delete from held_orders where request_id = $1`, [requestId]);
  }
});

test('a person who was merged, and merged back, is erased alone', async () => {
  const { workspace, id, mark, erase, named } = await openCompany();
  const [twin = 0] = await workspace.addPeople([{ email: 'twin@example.com', firstName: 'Twin', lastName: 'Other' }]);
  await workspace.merge(twin, id);
  const [undo] = await database.query<{ id: string }>('select id from undos where workspace_id = $1 and kind = $2', [
    workspace.id,
    'MEMBER_MERGE',
  ]);
  assert.equal((await workspace.call(`/api/v1/undo/${undo?.id}`, { method: 'POST', body: {} })).status, 200);
  await workspace.change(id, { department: 'Research' });
  await erase();
  assert.deepEqual(await named(), []);
  const { firstName, email } = await workspace.read<{ firstName: string; email: string }>(`/api/v1/members/${twin}`);
  assert.deepEqual([firstName, email], ['Twin', 'twin@example.com'], mark);
});

test('what is kept to undo a merge or an import goes with the person, and neither can be undone', async () => {
  const { workspace, id, person, mark, erase, named, send } = await openCompany();
  const [twin = 0] = await workspace.addPeople([{ email: `twin.${mark}@example.com`, lastName: person.lastName }]);
  await workspace.merge(twin, id);
  const { body } = await send(`email,location\n${person.email},Lagos\nada@example.com,Lagos\n`);
  assert.equal(body.rejected, 0, JSON.stringify(body));
  await erase();
  assert.deepEqual(await named(), []);
  const { changes } = await workspace.read<{ changes: { id: string; kind: string }[] }>('/api/v1/undo');
  for (const { id: change, kind } of changes) {
    const { status } = await workspace.call(`/api/v1/undo/${change}`, { method: 'POST', body: {} });
    assert.equal(status, 409, kind);
  }
  assert.deepEqual(await named(), []);
});

test('a digest that waits is not sent', async () => {
  const { workspace, id, person, erase, named } = await openCompany();
  await database.query(
    `insert into digest_mails (workspace_id, kind, period, member_id, state, due_at, address)
     values ($1, 'WEEK', current_date, $2, 'QUEUED', now() + interval '1 hour', $3)`,
    [workspace.id, id, person.email],
  );
  await erase();
  assert.deepEqual(await named(), []);
});

test('a directory sync that repeats the person in another form does not bring them back', async () => {
  const { workspace, id, mark, person, erase, named } = await openCompany();
  const scim = await connectScim(service, workspace.id);
  const emails = [{ value: person.email, primary: true }, { value: `further.${mark}@example.com` }];
  const user = { userName: `login.${mark}`, externalId: `ext-${mark}`, emails, active: true };
  const saved = await scim.put(`/Users/${id}`, user);
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  await erase();
  assert.deepEqual(await named(), []);
  const other = { userName: 'unknown@example.org' };
  const number = `É-${mark.toUpperCase()}`;
  for (const [what, body] of Object.entries({
    'address in capitals': { userName: person.email.toUpperCase() },
    login: { ...other, userName: `LOGIN.${mark}` },
    'id at the provider': { ...other, externalId: `ext-${mark}` },
    'further address': {
      ...other,
      emails: [{ value: 'new@example.org', primary: true }, { value: `Further.${mark}@example.com` }],
    },
    'number in another form': { ...other, [enterprise]: { employeeNumber: number.normalize('NFD') } },
    'invisible characters': { userName: `\u200b${person.email}\u200b` },
  })) {
    const { status, body: answer } = await scim.post('/Users', body);
    assert.equal(status, 409, `${what}: ${JSON.stringify(answer)}`);
  }
  // The person as the manager of another one.
  for (const value of [person.email, `ext-${mark}`, person.employeeNumber, `LOGIN.${mark}`]) {
    const report = {
      userName: `report.of.${value.length}.${Math.abs(value.charCodeAt(0))}@example.org`,
      [enterprise]: { manager: { value } },
    };
    const { status, body: answer } = await scim.post('/Users', report);
    assert.equal(status, 201, JSON.stringify(answer));
  }
  assert.deepEqual(await named(), []);
});
