import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { startService, type TestService } from '../support/service.ts';

const tokenKey = 'the-key-that-all-nodes-of-this-file-share';
const unknownMigration = `insert into migrations (name, run_on) values ('9999_of_a_newer_version', now())`;
const waitingWorkers = `
  select from pg_stat_activity
   where datname = current_database() and application_name = 'giftwire jobs' and wait_event_type = 'Lock'`;
const curse = `
  create function curse() returns trigger language plpgsql as
  $$ begin raise exception 'the gift is cursed'; end $$;
  create trigger curse before insert on certificates for each row
    when (new.message like 'poison%') execute function curse()`;

const submit = async (on: TestService, message = 'Thank you!') => {
  const { status, body } = await on.create(anOrder({ orderItems: [aGift({ message })] }));
  assert.equal(status, 201);
  return body.requestId;
};
const statusOf = async (on: TestService, requestId: string) =>
  (await on.call<{ requestStatus: string }>(`/api/v1/orders/status/${requestId}`)).body.requestStatus;
const readiness = (on: TestService) =>
  on.call<{ status: string; checks: Record<string, { ok: boolean; detail: string }> }>('/health/ready');
const becomesUnready = (on: TestService) =>
  eventually(
    () => readiness(on),
    ({ status, body }) => status === 503 && body.checks.worker?.ok === false,
  );

test('a running node turns unready and stops fulfilling orders once a newer version has migrated the database', async () => {
  const old = await startService({ tokenKey });
  await old.fulfilled(anOrder());
  await old.database.query(unknownMigration);
  const { body } = await becomesUnready(old);
  assert.deepEqual(body.checks.migrations, { ok: false, detail: 'newer' });

  // It still accepts what reaches it, and leaves it to the newer nodes.
  const requestId = await submit(old);
  await old.database.query(`delete from migrations where name like '9999%'`);
  assert.equal(await statusOf(old, requestId), 'ACCEPTED');
  const replacement = await startService({ tokenKey, databaseUrl: old.database.url });
  await eventually(
    () => statusOf(old, requestId),
    (status) => status === 'COMPLETED',
  );
  await replacement.stop();
});

test('a node never fails an order because it does not know the schema', async () => {
  const api = await startService({ tokenKey, role: 'api' });
  await api.database.pool.query(curse);
  const requestIds = [await submit(api), await submit(api, 'poison'), await submit(api)];
  // The worker is caught in the middle: it started on its own schema, which then changes before it can write.
  const worker = await startService({ tokenKey, role: 'worker', databaseUrl: api.database.url, demo: false }).catch(
    (error) => error as Error,
  );
  assert.ok(!(worker instanceof Error), String(worker));
  await eventually(
    () => Promise.all(requestIds.map((requestId) => statusOf(api, requestId))),
    (seen) => seen.every((status) => status !== 'ACCEPTED'),
  );
  // The worker has looked at the schema and waits for the workspace while a newer version migrates.
  const late = await api.database.transaction(async (tx) => {
    await lockWorkspace(tx, api.workspaceId);
    const requestId = await submit(api, 'poison');
    await eventually(
      () => api.database.query(waitingWorkers),
      (waiting) => waiting.length > 0,
    );
    await api.database.query(unknownMigration);
    return requestId;
  });
  await becomesUnready(worker);
  assert.equal(await statusOf(api, late), 'ACCEPTED');
  const rows = await api.database.query('select from orders where request_id = $1', [late]);
  assert.equal(rows.length, 0);
  await worker.stop();
});

test('an order that hits a duplicate key in the database waits, and other orders complete', async () => {
  const service = await startService({ tokenKey });
  await service.database.query(
    `create unique index only_one on certificates (workspace_id) where message like 'refused%'`,
  );
  const requestIds: string[] = [];
  for (const message of ['one', 'refused?', 'refused', 'two', 'three']) requestIds.push(await submit(service, message));
  const refused = requestIds[2] as string;
  await eventually(
    () => Promise.all(requestIds.map((requestId) => statusOf(service, requestId))),
    (seen) => seen.filter((status) => status === 'COMPLETED').length === 4,
  );
  assert.equal(await statusOf(service, refused), 'ACCEPTED');
  await service.database.query('drop index only_one');
  await eventually(
    () => statusOf(service, refused),
    (status) => status === 'COMPLETED',
  );
  await service.stop();
});

test('an operator can retry a failed order, and only a failed one', async () => {
  const service = await startService({ tokenKey });
  await service.database.pool.query(curse);
  const env = { DATABASE_URL: service.database.url, GIFTWIRE_TOKEN_KEY: tokenKey };
  const good = await submit(service);
  const bad = await submit(service, 'poison');
  await eventually(
    () => Promise.all([statusOf(service, good), statusOf(service, bad)]),
    (seen) => seen.join() === 'COMPLETED,FAILED',
  );
  await service.database.query('drop trigger curse on certificates');
  const [retried, completed, unknown, odd] = await Promise.all([
    giftwire(['order', 'retry', bad.toUpperCase(), '--json'], env),
    giftwire(['order', 'retry', good], env),
    giftwire(['order', 'retry', '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f'], env),
    giftwire(['order', 'retry', 'nonsense'], env),
  ]);
  assert.equal(retried.code, 0, retried.stderr);
  assert.deepEqual([completed.code, unknown.code, odd.code], [1, 1, 2]);
  assert.match(completed.stderr, /has not failed/);
  await eventually(
    () => statusOf(service, bad),
    (status) => status === 'COMPLETED',
  );
  const again = await giftwire(['order', 'retry', bad], env);
  assert.equal(again.code, 1);
  await service.stop();
});
