import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkspaceGrant } from '../../src/company/access/grants.ts';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import { readPendingLines } from '../../src/giving/orders/pending-lines.ts';
import { Shoutouts } from '../../src/giving/recognition/give.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { createGrant } from '../support/grant.ts';
import { anOrder } from '../support/orders.ts';
import { aShoutout } from '../support/workspace.ts';

const { url } = await createTestDatabase();
const database = openDatabase({ url, name: 'test', maxConnections: 4, statementTimeoutMs: 60_000, byKey: true });
cleanUp(() => database.close());

/** Two customers that happen to choose the same keys. */
const [acme, borealis] = (await Promise.all(['Acme', 'Borealis'].map((name) => createGrant(database, { name })))) as [
  WorkspaceGrant,
  WorkspaceGrant,
];
const idempotencyKey = 'monday';

test('orders of two workspaces under one key, in one batch, are two orders, and each is answered with its own', async () => {
  const batches: number[] = [];
  const acceptance = new Acceptance(database, [{ afterCommit: ({ submitted }) => batches.push(submitted) }]);
  const submit = (workspace: WorkspaceGrant, order: unknown) =>
    acceptance.accept({ tokenId: 1, workspace, customerRequestId: null, idempotencyKey, order: order as never });
  // Submissions of one turn of the event loop share a batch.
  const both = (orders: [unknown, unknown]) => Promise.all([submit(acme, orders[0]), submit(borealis, orders[1])]);
  const ids = (accepted: Awaited<ReturnType<typeof both>>) => accepted.map(({ record }) => record.requestId);
  const bodies: [unknown, unknown] = [anOrder(), anOrder({ currency: 'USD' })];

  const first = await both(bodies);
  assert.deepEqual(
    first.map(({ replayed }) => replayed),
    [false, false],
  );
  assert.equal(new Set(ids(first)).size, 2);
  for (let round = 0; round < 3; round++) {
    const again = await both(bodies);
    assert.deepEqual(
      again.map(({ replayed }) => replayed),
      [true, true],
    );
    assert.deepEqual(ids(again), ids(first));
  }
  assert.deepEqual(batches, [2, 2, 2, 2], 'they did share a batch');
  for (const [nth, { workspaceId }] of [acme, borealis].entries()) {
    const rows = await database.query('select request_id as id from order_requests where workspace_id = $1', [
      workspaceId,
    ]);
    assert.deepEqual(rows, [{ id: ids(first)[nth] }]);
  }
});

test('shoutouts of two workspaces under one key, at one moment, are two, and each is answered with its own', async () => {
  const shoutouts = new Shoutouts(database, readPendingLines);
  const give = (workspace: WorkspaceGrant, message: string) =>
    shoutouts.give({ tokenId: 1, workspace, idempotencyKey, shoutout: { ...aShoutout(), message, isPrivate: false } });
  const both = () => Promise.all([give(acme, 'of Acme'), give(borealis, 'of Borealis')]);
  for (const replayed of [false, true, true]) {
    const answers = await both();
    assert.deepEqual(
      answers.map((answer) => [answer.record.description, answer.record.sender.firstName, answer.replayed]),
      [
        ['of Acme', 'Acme', replayed],
        ['of Borealis', 'Borealis', replayed],
      ],
    );
  }
});

/** Tables that belong to no workspace. A table that is added has a workspace_id, or is listed here with a reason. */
const tablesOfTheInstallation = {
  accounts: 'own workspaces',
  api_tokens: 'may have rights to several workspaces',
  background_migrations: 'of the schema',
  backups: 'of the installation',
  employee_links: 'of people who sign in',
  erasure_checks: 'of the histories of the installation',
  gift_token_keys: 'of the installation',
  histories: 'of the installation',
  installation: 'of the installation',
  mail_pace: 'of the installation',
  migration_checksums: 'of the schema',
  migrations: 'of the schema',
  sessions: 'of people who sign in',
  sign_in_attempts: 'of people who sign in, before it is known who they are',
  sign_in_links: 'of people who sign in',
  users: 'may sign in to several workspaces',
  workspaces: 'its id is what the others call workspace_id',
};

test('every table has a workspace_id, except those that belong to the installation', async () => {
  const without = await database.query<{ name: string }>(
    `select t.table_name as name
       from information_schema.tables t
       left join information_schema.columns c
              on c.table_schema = t.table_schema and c.table_name = t.table_name and c.column_name = 'workspace_id'
      where t.table_schema = 'public'
        and t.table_type = 'BASE TABLE'
        -- Its workspace_id says how far it has come.
        and (c.column_name is null or c.is_nullable = 'YES' or t.table_name = 'background_migrations')
      order by 1`,
  );
  assert.deepEqual(
    without.map(({ name }) => name),
    Object.keys(tablesOfTheInstallation),
  );
});

test('workspace_id leads every primary key and every unique key of a table of workspaces', async () => {
  const keys = await database.query<{ key: string; leads: boolean }>(
    `select i.indexrelid::regclass::text as key, a.attname = 'workspace_id' as leads
       from pg_index i
       join pg_class t          on t.oid = i.indrelid and t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
       left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indisunique
        and t.relname <> all ($1::text[])`,
    [Object.keys(tablesOfTheInstallation)],
  );
  assert.ok(keys.length >= 20, `${keys.length} keys were found`);
  assert.deepEqual(
    keys.filter(({ leads }) => leads !== true),
    [],
  );
});

const workspaceColumn = (table: string) =>
  `case ${table}::regclass::text when 'workspaces' then 'id' else 'workspace_id' end`;

test('every foreign key leads from a workspace to the same workspace, except to tables of the installation', async () => {
  const keys = await database.query<{ key: string; isWithin: boolean }>(
    `select format('%s %s', c.conrelid::regclass, pg_get_constraintdef(c.oid)) as key,
            source.attname = ${workspaceColumn('c.conrelid')}
              and target.attname = ${workspaceColumn('c.confrelid')} as "isWithin"
       from pg_constraint c
       join pg_attribute source on source.attrelid = c.conrelid and source.attnum = c.conkey[1]
       join pg_attribute target on target.attrelid = c.confrelid and target.attnum = c.confkey[1]
      where c.contype = 'f'
        and c.connamespace = 'public'::regnamespace
      order by 1`,
  );
  const across = keys.filter(({ isWithin }) => !isWithin).map(({ key }) => key);
  assert.ok(keys.length >= 12, `${keys.length} foreign keys were found`);
  assert.deepEqual(across, [
    'api_token_workspaces FOREIGN KEY (token_id) REFERENCES api_tokens(id)',
    'session_members FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE',
    'sessions FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE',
    'sign_in_links FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE',
    'user_roles FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE',
    'workspaces FOREIGN KEY (account_id) REFERENCES accounts(id)',
  ]);
});
