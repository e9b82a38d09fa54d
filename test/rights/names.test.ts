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
  for (const id of ids) await database.transaction((tx) => requestErasure(tx, atTheCommandLine, workspace.id, id));
  await database.query('update erasures set due_at = now() where workspace_id = $1', [workspace.id]);
  for (const id of ids)
    await eventually(async () => {
      while (await runErasure(database));
      return (await readErasure(database, workspace.id, id))?.state === 'DONE';
    });
  assert.deepEqual(await findTraces(database, named), []);
});
