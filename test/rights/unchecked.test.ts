import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startHistory } from '../../src/ground/database/history.ts';
import { cleanUp } from '../support/cleanup.ts';
import { runJson } from '../support/commands.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';

const folder = await mkdtemp(join(tmpdir(), 'giftwire-unchecked-'));
cleanUp(() => rm(folder, { recursive: true }));
const { database, stop } = await startService({ role: 'api' });
await stop();
const env = { DATABASE_URL: database.url, PORT: '1' };
const examine = async (more = {}) => {
  const { code, stdout } = await giftwire(['doctor'], { ...env, ...more });
  return { code, said: stdout.match(/^. erasures .*(\n {2}→ .*)?/m)?.[0] ?? null };
};

test('the doctor says nothing about erasures while the database never went back in time', async () => {
  assert.deepEqual(await examine(), { code: 0, said: null });
});

test('after a failover the doctor says what to do about people who were erased, without calling it a problem', async () => {
  await startHistory(database, 'its timeline changed, by a failover or a point-in-time recovery');
  const { code, said } = await examine();
  assert.match(said ?? '', /^– erasures +the database went back in time\. .*"giftwire erasures apply <list>"$/);
  assert.equal(code, 0);
});

test('after a restore the doctor says that the service does not start before it knows who was erased', async () => {
  await runJson(['restored'], env);
  await database.query(
    'insert into erasures (workspace_id, member_id, state, requested_by, requested_at) values (1, 1, $1, $2, now())',
    ['DONE', '{}'],
  );
  const { code, said } = await examine();
  assert.match(
    said ?? '',
    /^✗ erasures +the database was restored, .* the service does not start before they are erased again\n {2}→ Run /,
  );
  assert.match(said ?? '', /"giftwire erasures apply --none" if no person was erased after the backup\.$/);
  assert.equal(code, 31);
});

test('the doctor names the list that the service finds in the folder of the backups', async () => {
  const [{ id } = { id: '' }] = await database.query<{ id: string }>('select id from histories order by base limit 1');
  const list = join(folder, `giftwire-erased-${id}.json`);
  await giftwire(['erasures', 'list', '--to', list], env);
  const { code, said } = await examine({ GIFTWIRE_BACKUP_FOLDER: folder });
  assert.equal(said, `– erasures     the service erases the people on the list ${list} again when it starts`);
  assert.equal(code, 0, 'a restored database has two hours until its first nightly backup');
});

test('once an operator has said who was erased, the doctor is content', async () => {
  await runJson(['erasures', 'apply', '--none'], env);
  assert.deepEqual(await examine(), { code: 0, said: null });
});
