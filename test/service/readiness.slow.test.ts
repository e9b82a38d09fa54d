import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryOne } from '../../src/ground/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;
const order = () => service.call('/api/v1/orders', { method: 'POST', body: anOrder() });
const ready = () =>
  service.call<{ checks: Record<string, { ok: boolean; detail: string }> }>('/health/ready', { token: null });
const isReady = async () => (await ready()).status === 200;

/** From now on PostgreSQL rejects orders as if its disk were full, and counts how often it did. */
const fillDisk = () =>
  database.pool.query(`
    create sequence rejections;
    create function reject() returns trigger language plpgsql as $$
    begin
      perform nextval('rejections');
      raise exception 'could not extend file: No space left on device' using errcode = '53100';
    end $$;
    create trigger full_disk before insert on order_requests for each row execute function reject()`);
const makeRoom = () => database.query('drop trigger full_disk on order_requests');
const countRejections = async () =>
  (
    await queryOne<{ count: number }>(
      database,
      'select case when is_called then last_value else 0 end as count from rejections',
    )
  ).count;

test('a node is ready while orders are stored', async () => {
  assert.equal((await order()).status, 201);
  const { body } = await ready();
  assert.deepEqual(body.checks.writes, { ok: true, detail: 'work' });
});

test('while PostgreSQL has no room for orders, a node is not ready; it is ready again as soon as a write succeeds', async () => {
  await fillDisk();
  assert.equal(await isReady(), true, 'no order has failed yet');
  assert.equal(await countRejections(), 0, 'nothing is written without a doubt');
  assert.equal((await order()).status, 503);
  const { body } = await eventually(ready, ({ status }) => status === 503);
  assert.deepEqual(body.checks.writes, { ok: false, detail: 'are rejected' });
  assert.equal(body.checks.database?.ok, true);
  for (const { status } of await Promise.all(Array.from({ length: 30 }, ready))) assert.equal(status, 503);
  await makeRoom();
  await eventually(isReady);
  assert.equal((await order()).status, 201);
  const { left } = await queryOne<{ left: number }>(
    database,
    'select count(*) as left from order_requests where workspace_id = 0',
  );
  assert.equal(left, 0, 'what was written to try is gone');
});

test('a node on a read-only database is not ready', async () => {
  const { name } = await queryOne<{ name: string }>(database, 'select current_database() as name');
  const set = async (value: string) => {
    await database.pool.query(`set default_transaction_read_only = off; alter database ${name} ${value}`);
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'giftwire %' and pid <> pg_backend_pid()`,
    );
  };
  await set('set default_transaction_read_only = on');
  await eventually(order, ({ status, body }) => status === 503 && body.type === 'server_error');
  await eventually(ready, ({ body }) => body.checks.writes?.ok === false);
  await set('reset default_transaction_read_only');
  await eventually(isReady);
  await eventually(order, ({ status }) => status === 201);
});

test('while its role may not store orders, a node rejects them with 503 and is not ready', async () => {
  const { role } = await queryOne<{ role: string }>(database, 'select current_user as role');
  await database.query(`revoke insert on order_requests from ${role}`);
  const { status, headers, body } = await order();
  assert.deepEqual([status, body.type], [503, 'server_error']);
  assert.ok(headers.get('retry-after'));
  await eventually(ready, ({ body }) => body.checks.writes?.ok === false);
  await database.query(`grant insert on order_requests to ${role}`);
  await eventually(isReady);
  assert.equal((await order()).status, 201);
});

test('a single order that the database rejects does not make a node unready', async () => {
  await database.pool.query(`
    create or replace function reject() returns trigger language plpgsql as $$
    begin
      if new.body::text like '%poison%' then raise exception 'no' using errcode = '53100'; end if;
      return new;
    end $$;
    create trigger full_disk before insert on order_requests for each row execute function reject()`);
  const poison = anOrder();
  for (const gift of poison.orderItems) Object.assign(gift, { message: 'poison' });
  for (let nth = 0; nth < 5; nth++) {
    assert.equal((await service.call('/api/v1/orders', { method: 'POST', body: poison })).status, 503);
    assert.equal(await isReady(), true);
  }
  await makeRoom();
});
