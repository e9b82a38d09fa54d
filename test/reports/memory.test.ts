import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitMember } from '../../src/company/directory/split.ts';
import { removeOldEvents } from '../../src/company/events/retention.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import type { Database, Queryable } from '../../src/ground/database/database.ts';
import { Companies } from '../../src/insight/reports/memory/companies.ts';
import { CompanyMemory } from '../../src/insight/reports/memory/company.ts';
import { eventually } from '../support/eventually.ts';
import { contents, contentsNow } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const tokenKey = 'k'.repeat(32);
const service = await startService({ tokenKey });
const { database } = service;

const people = ['a', 'b', 'c', 'd'].map((name) => ({ email: `${name}@example.com`, department: 'Care' }));

/** A workspace, a company in memory that knows it, and a check that it follows what has changed since. */
async function open() {
  const workspace = await openWorkspace(service, { people, asksForApproval: true });
  const company = new CompanyMemory(workspace.id, 2);
  await company.follow(database);
  const follows = async () => {
    const before = contents(company);
    await company.follow(database);
    const after = contents(company);
    assert.deepEqual(after, await contentsNow(database, workspace.id));
    assert.notDeepEqual(after, before);
  };
  return { workspace, company, follows };
}

test('a company in memory follows gifts, shoutouts, and decisions about older ones', async () => {
  const { workspace, follows } = await open();
  const given = await workspace.given(aShoutout({ recipient: { email: 'a@example.com' } }));
  const other = await workspace.given(aShoutout({ recipient: { email: 'b@example.com' } }));
  await workspace.gift(...['a', 'b', 'c', 'd', 'new'].map((name) => ({ email: `${name}@example.com` })));
  await follows();
  await workspace.decide(given.id, 'approve');
  await follows();
  await workspace.decide(other.id, 'decline');
  await workspace.gift({ email: 'd@example.com' });
  await follows();
});

test('it follows people who leave, return, change, are split, and are merged one after the other', async () => {
  const { workspace, follows } = await open();
  const [a, b, c, d] = workspace.memberIds as [number, number, number, number];
  await workspace.gift({ email: 'a@example.com' });
  await workspace.change(a, { active: false, leftOn: '2026-01-01' });
  await follows();
  await workspace.change(a, { active: true });
  await follows();
  await workspace.change(b, { managerId: c, department: 'Sales' });
  await follows();
  await workspace.merge(a, b);
  await follows();
  await workspace.merge(b, c);
  await follows();
  await database.transaction((tx) => splitMember(tx, theService, workspace.id, d, ['email']));
  await follows();
});

test('it reads people again who were imported, also while the import is under way', async () => {
  const { workspace, follows } = await open();
  const body = 'email,department\na@example.com,Sales\nz@example.com,Sales\n';
  const headers = { 'Content-Type': 'text/csv' };
  const answer = await workspace.call('/api/v1/members/import', { method: 'POST', headers, body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  await follows();
  await database.query(
    `update members set department = 'Imported' where workspace_id = $1 and email_key = 'b@example.com'`,
    [workspace.id],
  );
  await database.query(
    `insert into open_imports (workspace_id, id, counts, changed_at) values ($1, gen_random_uuid(), '{}', now())`,
    [workspace.id],
  );
  await follows();
  await database.query('delete from open_imports where workspace_id = $1', [workspace.id]);
});

test('it reads everything again once events are gone that it has not read', async () => {
  const { workspace, follows } = await open();
  await workspace.change(workspace.memberIds[0] as number, { department: 'Sales' });
  await database.query(`update events set created_at = created_at - interval '900 days' where workspace_id = $1`, [
    workspace.id,
  ]);
  await removeOldEvents(database, 400);
  await follows();
});

test('it goes on after a reading that failed on the way', async () => {
  const { workspace, company } = await open();
  await workspace.gift({ email: 'a@example.com' }, { email: 'b@example.com' }, { email: 'c@example.com' });
  let left = 1;
  const failing: Queryable = {
    query: (sql, values, use) => (left-- > 0 ? database.query(sql, values, use) : Promise.reject(new Error('gone'))),
  };
  await assert.rejects(company.follow(failing), /gone/);
  await company.follow(database);
  assert.deepEqual(contents(company), await contentsNow(database, workspace.id));
});

test('those who ask while it is read get what was so when they asked, and share one reading', async () => {
  const { workspace } = await open();
  const { statements, companies } = countStatements();
  const count = () => companies.ask(workspace.id, ({ activities }) => activities.count);
  assert.equal(await count(), 0);
  const first = count();
  await workspace.gift({ email: 'a@example.com' });
  const [, ...later] = await Promise.all([first, ...[1, 2, 3, 4].map(count)]);
  assert.deepEqual(later, [1, 1, 1, 1]);
  statements.length = 0;
  assert.deepEqual(await Promise.all([count(), count(), count(), count()]), [1, 1, 1, 1]);
  assert.equal(statements.length, 2);
});

test('a company that was read ahead answers its first question with one statement', async () => {
  const { workspace } = await open();
  await workspace.gift({ email: 'a@example.com' });
  const { statements, companies } = countStatements();
  await companies.readAhead([workspace.id]);
  statements.length = 0;
  assert.equal(await companies.ask(workspace.id, ({ activities }) => activities.count), 1);
  assert.equal(statements.length, 1);
});

test('a start reads the companies ahead whose people sign in', async () => {
  await openWorkspace(service, { people });
  await signIn(service);
  const node = await startService({ database, tokenKey, logLevel: 'debug' });
  const line = await eventually(async () => node.logLines().find(({ msg }) => msg === 'Reports were read ahead.'));
  assert.deepEqual(line.workspaces, [service.workspaceId]);
});

/** Companies in memory, and the statements that they send. */
function countStatements() {
  const statements: string[] = [];
  const counting: Database = {
    ...database,
    query: (sql, values, use) => {
      statements.push(sql);
      return database.query(sql, values, use);
    },
  };
  return { statements, companies: new Companies(counting) };
}
