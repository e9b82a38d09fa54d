import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../../src/database/migrate.ts';
import { readWrongs } from '../support/books.ts';
import { createTestDatabase } from '../support/database.ts';
import { applyMigrations } from '../support/migrations.ts';

const database = await createTestDatabase({ template: 'template1' });

test('a database from before the directory keeps everything, and its books agree', async () => {
  await applyMigrations(database, 2);
  await database.pool.query(`
    insert into accounts (name) values ('Acme');
    insert into workspaces (account_id, name, language) values (1, 'Acme', 'EN_CA');
    insert into teams (workspace_id, name) values (1, 'Everyone'), (1, 'Voice');
    insert into reasons (workspace_id, description) values (1, 'Thank you'), (1, 'Teamwork');
    update workspaces set default_team_id = 1, default_reason_id = 1;
    insert into members (workspace_id, team_id, email, first_name, employee_number, is_integration, recognition_count,
                         last_recognized_on, last_recognized_by)
    values (1, 1, null, 'Payroll', null, true, 0, null, null),
           (1, 2, 'ada@example.com', 'Ada', '1', false, 2, '2026-03-02', 'SHOUTOUT'),
           (1, 1, 'bob@example.com', 'Bob', null, false, 1, '2026-03-01', 'GIFT'),
           (1, 1, null, 'Carol', '3', false, 0, null, null);
    insert into recognition_days values (1, '2026-03-01', 1), (1, '2026-03-02', 1);
    insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name, currency, language, body)
    values (1, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f', 1, 1, 'Payroll', 'CAD', 'EN_CA', '{"orderItems": [{}, {}]}');
    insert into orders (workspace_id, request_id, id, gift_count)
    values (1, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f', 1, 2);
    insert into certificates (workspace_id, request_id, position, id, member_id, amount, message, key_version, short_token_hash)
    values (1, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f', 0, 1, 2, 5, 'one', 1, 1),
           (1, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f', 1, 2, 3, 5, 'two', 1, 2);
    insert into activities (workspace_id, number, type, status, sender_id, receiver_id, reason_id, description, request_id,
                            position, created_on)
    values (1, 1, 'GIFT', 'APPROVED', 1, 2, null, null, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f', 0, '2026-03-01 12:00Z'),
           (1, 2, 'GIFT', 'APPROVED', 1, 3, null, null, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f', 1, '2026-03-01 12:00Z'),
           (1, 3, 'SHOUTOUT', 'APPROVED', 3, 2, 2, 'Well done', null, null, '2026-03-02 12:00Z'),
           (1, 4, 'SHOUTOUT', 'PENDING', 2, 4, null, 'Thanks', null, null, '2026-03-03 12:00Z');
    insert into activity_counters (workspace_id, total, latest) values (1, 4, '2026-03-03 12:00Z');
  `);

  await migrate(database);

  assert.deepEqual(await readWrongs(database), []);
  const reasons = await database.query<{ reason: number }>(
    'select reason_id as reason from activities order by number',
  );
  assert.deepEqual(
    reasons.map(({ reason }) => reason),
    [1, 1, 2, 1],
  );
  const teams = await database.query('select team_id as team, member_id as member from team_members');
  assert.deepEqual(teams, [{ team: 2, member: 2 }]);
});

test('migrations that an older version applied without recording checksums are recorded by the next version', async () => {
  const unrecorded = await database.query(
    'select name from migrations left join migration_checksums using (name) where sha256 is null',
  );
  assert.deepEqual(unrecorded, []);
});
