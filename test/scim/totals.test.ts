import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill } from '../../bench/fill.ts';
import { listScimUsers } from '../../src/company/scim/list-users.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { pools } from '../../src/ground/database/pools.ts';
import { openWithScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

const filters = {
  all: '',
  active: '&filter=active eq true',
  left: '&filter=Active%20eq%20False',
  full: '&filter=urn:ietf:params:scim:schemas:core:2.0:User:active eq true',
};

type Name = keyof typeof filters;

test('totals are right after people are added, leave, return, are deleted, merged and brought back', async () => {
  const { workspace, scim } = await openWithScim(service);
  const totals = async () => {
    const read = async (filter: string) => (await scim.get(`/Users?count=1${filter}`)).body.totalResults;
    return Object.fromEntries(
      await Promise.all(Object.entries(filters).map(async ([name, f]) => [name, await read(f)])),
    );
  };
  /** The same as the pages have it, which are read to their end. */
  const listed = async () => {
    const count = async (filter: string) => (await scim.get(`/Users?count=1000${filter}`)).body.Resources.length;
    return Object.fromEntries(
      await Promise.all(Object.entries(filters).map(async ([name, f]) => [name, await count(f)])),
    );
  };
  const before: Record<Name, number> = await listed();
  const expect = async (change: Partial<Record<Name, number>>) => {
    const now = await totals();
    assert.deepEqual(now, await listed());
    assert.deepEqual(now, {
      ...before,
      ...Object.fromEntries(Object.entries(change).map(([k, n]) => [k, before[k as Name] + n])),
    });
  };
  await expect({});
  const users = [];
  for (let nth = 0; nth < 6; nth++) users.push(await scim.addUser({ userName: `person${nth}@example.com` }));
  await expect({ all: 6, active: 6, full: 6 });
  const [a, b, c, d, e] = users.map(({ id }) => id as string);
  await scim.patch(`/Users/${a}`, [{ op: 'replace', path: 'active', value: false }]);
  await expect({ all: 6, active: 5, full: 5, left: 1 });
  await scim.delete(`/Users/${b}`);
  await expect({ all: 5, active: 4, full: 4, left: 1 });
  await scim.delete(`/Users/${a}`);
  await expect({ all: 4, active: 4, full: 4 });
  await workspace.merge(Number(c), Number(d));
  await expect({ all: 3, active: 3, full: 3 });
  await workspace.gift({ email: 'person4@example.com' }, { email: 'stranger@example.com' });
  await expect({ all: 4, active: 4, full: 4 });
  await workspace.change(Number(e), { active: false });
  await workspace.change(Number(e), { active: true });
  await scim.addUser({ userName: 'person1@example.com' });
  await expect({ all: 5, active: 5, full: 5 });
});

test('the total of all users reads no members, however many there are', async () => {
  const workspace = await openWorkspace(service);
  const members = 3_000;
  await fill(service.database, { workspaceId: workspace.id, members, gifts: members, giftsPerOrder: 20 }, () => {});
  const { url } = service.database;
  for (const filter of [null, 'active eq true', 'userName eq "person7@example.com"', 'externalId eq "none"']) {
    const session = openDatabase({ url, ...pools.reports, maxConnections: 1 });
    const read = await session.transaction(async (tx) => {
      const { total } = await listScimUsers(tx, workspace.id, { filter, startIndex: 1, count: 1 });
      assert.ok(filter?.includes('eq "') ? total <= 1 : total > members - 1);
      const [row] = await tx.query<{ rows: number }>(rowsSql);
      return row?.rows;
    });
    assert.ok((read ?? Number.NaN) < 50, `${filter}: ${read} rows`);
    await session.close();
  }
});

const rowsSql = `
  select sum(pg_stat_get_xact_tuples_fetched(oid) + pg_stat_get_xact_tuples_returned(oid))::float8 as rows
    from (select 'members'::regclass::oid as oid
           union
          select indexrelid from pg_index where indrelid = 'members'::regclass) read`;
