import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GrantChanges, Grants, grantsChannel } from '../../src/company/access/grants.ts';
import { scopes } from '../../src/company/access/scopes.ts';
import { hashSecret, makeSecret } from '../../src/company/access/token-secret.ts';
import { createToken, revokeToken, rotateToken } from '../../src/company/access/tokens.ts';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { addMembers } from '../../src/company/directory/save.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { createWorkspace, updateWorkspace } from '../../src/company/workspaces/workspaces.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import { Listener } from '../../src/ground/database/listener.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { holdClock } from '../support/held-time.ts';

const database = await createTestDatabase();
const workspace = await database.transaction((tx) =>
  createWorkspace(tx, theService, { name: 'Acme', language: 'EN_CA', refusesUnknownEmployeeNumbers: false }),
);
const addToken = () =>
  database.transaction((tx) =>
    createToken(tx, theService, 'test', {
      name: 'Payroll',
      scopes,
      workspaces: [workspace.id],
      lastsMs: null,
      rateLimitPerMinute: null,
    }),
  );

/** Longer than a cached grant is trusted without a working listener. */
const longMs = 1_000;

interface Counted extends Queryable {
  reads: number;
}

function counted(): Counted {
  const counter: Counted = {
    reads: 0,
    query(sql, values) {
      // The last use of a token is written beside its reading.
      if (!sql.trim().startsWith('update')) counter.reads++;
      return database.query(sql, values);
    },
  };
  return counter;
}

function follow(onChange: () => void): GrantChanges {
  const listener = new Listener(database.url, grantsChannel, onChange);
  cleanUp(() => listener.close());
  return listener;
}

const endListeners = () =>
  database.query(`select pg_terminate_backend(pid) from pg_stat_activity
                   where datname = current_database() and application_name = 'giftwire listener'`);

test('a grant in use is read from the database once', async () => {
  const { token } = await addToken();
  const reader = counted();
  const grants = new Grants(reader, 'test', follow);
  await eventually(
    async () => {
      await grants.find(token);
      await sleep(longMs);
      return grants.recall(token);
    },
    (grant) => grant !== null,
  );
  const { reads } = reader;
  await sleep(longMs);
  assert.ok(await eventually(async () => grants.recall(token), Boolean));
  assert.equal(reader.reads, reads);
});

const byHand = (sql: string, values: unknown[]) =>
  database.transaction(async (tx) => {
    await tx.query(sql, values);
    await tx.query(`select pg_notify('giftwire_grants', '')`);
  });

const changes = {
  'a token is revoked': (id: number) => database.transaction((tx) => revokeToken(tx, theService, id)),
  'a token is rotated': (id: number) => database.transaction((tx) => rotateToken(tx, theService, 'test', id, 60_000)),
  'a token gets another limit by hand': (id: number) =>
    byHand('update api_tokens set rate_limit_per_minute = 5 where id = $1', [id]),
  'a token loses a workspace by hand': (id: number) =>
    byHand('delete from api_token_workspaces where token_id = $1', [id]),
  'a workspace changes': () => database.transaction((tx) => updateWorkspace(tx, workspace.id, { language: 'FR_CA' })),
  'the member behind a token is merged': () =>
    inWorkspace(database, workspace.id, async (tx) => {
      const [from = 0, into = 0] = await addMembers(tx, workspace.id, [{ firstName: 'Ada' }, { firstName: 'Ada' }]);
      await tx.query('update api_token_workspaces set member_id = $1', [from]);
      await mergeMembers(tx, theService, workspace.id, from, into);
    }),
};

for (const [name, change] of Object.entries(changes)) {
  test(`when ${name}, cached grants are dropped at once`, async () => {
    const { id, token } = await addToken();
    let dropped = 0;
    const grants = new Grants(database, 'test', (onChange) =>
      follow(() => {
        dropped++;
        onChange();
      }),
    );
    await eventually(async () => dropped, Boolean);
    await grants.find(token);
    const before = dropped;
    await change(id);
    await eventually(
      async () => dropped,
      (count) => count > before,
    );
    assert.equal(grants.recall(token), null);
  });
}

test('changes made while the listener is disconnected take effect too', async () => {
  const { id, token } = await addToken();
  const grants = new Grants(database, 'test', follow);
  await grants.find(token);
  await endListeners();
  await database.transaction((tx) => revokeToken(tx, theService, id));
  await eventually(
    async () => grants.recall(token),
    (grant) => grant === null,
  );
  assert.equal(await grants.find(token), null);
});

test('without a working listener, a cached grant is trusted for less than a second', async (t) => {
  const pass = holdClock(t);
  const { token } = await addToken();
  const grants = new Grants(database, 'test', () => ({ hasHeardAll: () => false }));
  await grants.find(token);
  assert.ok(grants.recall(token));
  pass(longMs - 1);
  assert.equal(grants.recall(token), null);
});

test('a cached grant ends when its token expires', async (t) => {
  const pass = holdClock(t);
  const { id, token } = await addToken();
  const grants = new Grants(database, 'test', () => ({ hasHeardAll: () => true }));
  await database.query(`update api_tokens set expires_at = now() + interval '30 seconds' where id = $1`, [id]);
  const { lastsMs } = (await grants.find(token)) ?? {};
  assert.ok(lastsMs && lastsMs <= 30_000);
  pass(lastsMs - 1);
  assert.ok(grants.recall(token));
  pass(1);
  assert.equal(grants.recall(token), null);
});

test('a grant that is being read while it changes is not cached', async () => {
  const { token } = await addToken();
  let announce = () => {};
  const reader: Queryable = {
    async query<Row>(sql: string, values?: readonly unknown[]) {
      const rows = await database.query<Row>(sql, values);
      announce();
      return rows;
    },
  };
  const grants = new Grants(reader, 'test', (onChange) => {
    announce = onChange;
    return { hasHeardAll: () => true };
  });
  assert.ok(await grants.find(token));
  assert.equal(grants.recall(token), null);
});

test('requests that come together share a reading, and those after a change do not', async () => {
  const { token } = await addToken();
  const asked: number[] = [];
  const gate = Promise.withResolvers<void>();
  const reader: Queryable = {
    async query<Row>(sql: string, values?: readonly unknown[]) {
      const [hashes] = values as [unknown[]];
      if (sql.trim().startsWith('update')) return [];
      asked.push(hashes.length);
      await gate.promise;
      return database.query<Row>(sql, values);
    },
  };
  let announce = () => {};
  const grants = new Grants(reader, 'test', (onChange) => {
    announce = onChange;
    return { hasHeardAll: () => true };
  });
  const together = Array.from({ length: 20 }, () => grants.find(token));
  await eventually(async () => asked.length > 0);
  announce();
  const later = grants.find(token);
  await eventually(async () => asked.length > 1);
  gate.resolve();
  assert.ok((await Promise.all([...together, later])).every(Boolean));
  assert.deepEqual(asked, [1, 1]);
});

test('a listener reconnects, and reports that it may have missed changes', async () => {
  let notices = 0;
  const listener = new Listener(database.url, 'some_channel', () => notices++);
  cleanUp(() => listener.close());
  await eventually(async () => listener.hasHeardAll(longMs), Boolean);
  assert.equal(notices, 1);
  await endListeners();
  await eventually(
    async () => notices,
    (count) => count === 2,
  );
  await database.query(`select pg_notify('some_channel', '')`);
  await eventually(
    async () => notices,
    (count) => count === 3,
  );
});

test('at most ten thousand grants are cached', async () => {
  const { id } = await addToken();
  const secrets = Array.from({ length: 10_001 }, () => makeSecret('test'));
  await database.query(
    `with added as (
       insert into api_tokens (name, hash, hint, scopes)
       select 'Payroll', decode(hash, 'hex'), '', $2::text[] from unnest($1::text[]) as hash
       returning id
     )
     insert into api_token_workspaces (token_id, workspace_id, member_id)
     select added.id, like_this.workspace_id, like_this.member_id
       from added, api_token_workspaces like_this
      where like_this.token_id = $3`,
    [secrets.map(hashSecret), scopes, id],
  );
  const grants = new Grants(database, 'test', () => ({ hasHeardAll: () => true }));
  const [last, ...others] = secrets.toReversed() as [string, ...string[]];
  const found = await Promise.all(others.map((secret) => grants.find(secret)));
  assert.ok(found.every(Boolean));
  assert.ok(grants.recall(others[0] as string));
  assert.ok(await grants.find(last));
  assert.ok(grants.recall(last));
  assert.equal(grants.recall(others[0] as string), null, 'one more makes room for all');
});

test('the last use of a token is noted at most every ten minutes', async () => {
  const { token, id } = await addToken();
  const lastUse = async () => {
    const [row] = await database.query<{ at: Date | null }>('select last_used_at as at from api_tokens where id = $1', [
      id,
    ]);
    return row?.at ?? null;
  };
  const use = () => new Grants(database, 'test', () => ({ hasHeardAll: () => true })).find(token);
  const setLastUse = (ago: string) =>
    database.query(`update api_tokens set last_used_at = now() - $2::interval where id = $1`, [id, ago]);
  assert.equal(await lastUse(), null);
  await use();
  await eventually(lastUse, (at) => at !== null);
  await setLastUse('9 minutes');
  const before = await lastUse();
  await use();
  assert.deepEqual(await lastUse(), before);
  await setLastUse('11 minutes');
  const old = await lastUse();
  await use();
  await eventually(lastUse, (at) => at !== null && old !== null && at > old);
});
