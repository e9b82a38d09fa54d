import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { readErasure, requestErasure } from '../../src/insight/rights/erasures.ts';
import { runErasure } from '../../src/insight/rights/run.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';
import { findTraces } from '../support/traces.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

const people = [
  ['Anne-Marie', "O'Neil", 'anne-marie.o_neil+x@ex-ample.com'],
  ['José (Pepe)', 'Núñez', 'jose.nunez@example.com'],
  ['小龍', '李', 'bruce@example.com'],
  ['伟', '王', 'wei@example.com'],
  ['🎉', '🎂🎂🎂', 'party@example.com'],
  ['O', 'Li', 'oli@example.com'],
  ['İbrahim', 'ŞAHİN', 'ibrahim@example.com'],
  ['Jean-Luc', 'de la Tour $1 $& \\', 'jl@example.com'],
].map(([firstName = '', lastName = '', email = '']) => ({ firstName, lastName, email }));

test('names of any script, with signs, and short ones are found in texts of others', async () => {
  const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com' }, ...people] });
  const ids = workspace.memberIds.slice(1);
  const named = people.flatMap(({ firstName, lastName, email }) => [`${firstName} ${lastName}`, email]);
  for (const { firstName, lastName, email } of people) {
    const full = `${firstName} ${lastName}`;
    const message = `Ask ${full}, <${email}>: ${full.toUpperCase()}! Or “${lastName}, ${firstName}”`;
    await workspace.given(aShoutout({ recipient: { email: 'ada@example.com' }, message }));
  }
  assert.ok((await findTraces(database, named)).length >= named.length);
  await erase(workspace.id, ids);
  assert.deepEqual(await findTraces(database, named), []);
});

async function erase(workspaceId: number, ids: readonly number[]): Promise<void> {
  for (const id of ids) await database.transaction((tx) => requestErasure(tx, atTheCommandLine, workspaceId, id));
  await database.query('update erasures set due_at = now() where workspace_id = $1', [workspaceId]);
  for (const id of ids)
    await eventually(async () => {
      while (await runErasure(database));
      return (await readErasure(database, workspaceId, id))?.state === 'DONE';
    });
}

test('what the company keeps about others does not name the person: values of its own fields, reasons of holds and objections', async () => {
  const grey = { firstName: 'Tomasina', lastName: 'Grey', email: 'tomasina@example.com' };
  const workspace = await openWorkspace(service, {
    people: [{ email: 'ada@example.com' }, { email: 'ben@example.com' }, grey, { employeeNumber: 'E-5' }],
  });
  const [ada = 0, ben = 0, id = 0, double = 0] = workspace.memberIds;
  const { token } = await service.addToken({ workspaces: [workspace.id], scopes: ['people:erase'] });
  const ask = async (method: string, path: string, body: object, more: object = {}) => {
    const { status } = await workspace.call(`/api/v1${path}`, { method, body, ...more });
    assert.ok(status < 300, `${path}: ${status}`);
  };
  await ask('POST', '/custom-fields', { key: 'buddy', label: 'Buddy', kind: 'TEXT', choices: [] });
  await ask('PATCH', `/members/${ada}`, { custom: { buddy: 'Tomasina Grey (tomasina@example.com)' } });
  // A last name that is a colour, too.
  await ask('PATCH', `/members/${ben}`, { custom: { buddy: 'Grey' } });
  // What undoing the merge would need has the value, too.
  await ask('POST', `/members/${double}/merge`, { into: ada });
  for (const path of ['hold', 'restriction'])
    await ask('PUT', `/members/${ada}/${path}`, { reason: 'As Tomasina Grey wishes' }, { token });
  await erase(workspace.id, [id]);
  assert.deepEqual(await findTraces(database, ['tomasina']), []);
  const buddyOf = async (member: number) =>
    (await workspace.read<{ custom: { buddy: string } }>(`/api/v1/members/${member}`)).custom.buddy;
  assert.deepEqual([await buddyOf(ada), await buddyOf(ben)], ['… (…)', 'Grey']);
});
