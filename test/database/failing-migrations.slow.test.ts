import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrate } from '../../src/ground/database/migrate.ts';
import { type Migration, readMigration } from '../../src/ground/database/migration-file.ts';
import { migrationsFolder, previousRelease } from '../../src/ground/database/schema.ts';
import { readWrongs } from '../support/books.ts';
import { checkLedger } from '../support/budgets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { checkOutPreviousRelease, NoHistory } from '../support/previous-release.ts';
import { makeDataDir, serveWith, shellEnv } from '../support/process.ts';
import { restoreRelease } from '../support/releases.ts';
import { startService } from '../support/service.ts';
import releasesJson from '../upgrades/releases.json' with { type: 'json' };

const release = Object.keys(releasesJson).at(-1) as string;
const names = (await readdir(migrationsFolder)).sort().map((file) => file.slice(0, -'.sql'.length));
const later = names.filter((name) => previousRelease !== null && name > previousRelease);

async function makeFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  cleanUp(() => rm(folder, { recursive: true }));
  return folder;
}

/** The program of the release before; a reason if the repository has no history. */
async function checkOut(): Promise<{ folder: string; missing: string | false }> {
  const folder = await makeFolder('giftwire-release-');
  const missing = await checkOutPreviousRelease(folder).then(
    () => false as const,
    (error) => {
      if (error instanceof NoHistory) return error.message;
      throw error;
    },
  );
  return { folder, missing };
}

/** The migrations up to this one, which fails after so many of its statements. */
async function folderThatFails({ name, kind, statements }: Migration, after: number): Promise<string> {
  const folder = await makeFolder('giftwire-migrations-');
  for (const earlier of names.filter((one) => one < name))
    await copyFile(join(migrationsFolder, `${earlier}.sql`), join(folder, `${earlier}.sql`));
  const sql = [...statements.slice(0, after), 'select 1 / 0'].map((statement) => `${statement};`).join('\n');
  await writeFile(join(folder, `${name}.sql`), `${kind === 'resumable' ? '-- resumable\n' : ''}${sql}\n`);
  return folder;
}

async function folderUpTo(name: string): Promise<string> {
  const folder = await makeFolder('giftwire-migrations-');
  for (const one of names.filter((other) => other <= name))
    await copyFile(join(migrationsFolder, `${one}.sql`), join(folder, `${one}.sql`));
  return folder;
}

const { folder, missing } = await checkOut();

test('wherever a migration fails, the release before serves on, and the next start completes it', {
  skip: missing,
}, async () => {
  const { database, facts } = await restoreRelease(release);
  const env = {
    DATABASE_URL: database.url,
    PORT: '0',
    GIFTWIRE_TOKEN_KEY: facts.tokenKey,
    GIFTWIRE_SMTP_URL: 'outbox',
  };
  const launcher = join(folder, 'bin/giftwire.js');
  const old = await serveWith(process.execPath, launcher, {
    cwd: folder,
    env: shellEnv({ ...env, GIFTWIRE_DATA_DIR: await makeDataDir() }),
  });
  const headers = {
    Authorization: `Bearer ${facts.token}`,
    'X-Workspace-id': '1',
    'Content-Type': 'application/json',
  };
  const order = async (url: string, where: string) => {
    const sent = await fetch(`${url}/api/v1/orders`, { method: 'POST', headers, body: JSON.stringify(anOrder()) });
    assert.equal(sent.status, 201, `${where}: ${sent.status} ${await sent.clone().text()}`);
    const { requestId } = (await sent.json()) as { requestId: string };
    await eventually(async () => {
      const answer = await fetch(`${url}/api/v1/orders/status/${requestId}`, { headers });
      const { requestStatus } = (await answer.json()) as { requestStatus: string };
      assert.notEqual(requestStatus, 'FAILED', where);
      return requestStatus === 'COMPLETED';
    });
    const ready = await fetch(`${url}/health/ready`);
    assert.equal(ready.status, 200, `${where}: ${await ready.text()}`);
  };

  await order(old.url, 'before all');
  for (const name of later) {
    const migration = await readMigration(migrationsFolder, name);
    for (let after = 0; after <= migration.statements.length; after++) {
      await assert.rejects(migrate(database, await folderThatFails(migration, after)), /division by zero/);
      await order(old.url, `${name} failed after ${after} statements`);
    }
    await migrate(database, await folderUpTo(name));
    await order(old.url, `after ${name}`);
  }
  const service = await startService({ database, tokenKey: facts.tokenKey });
  await order(service.url, 'this version');
  await order(old.url, 'the release before, beside this version');
  assert.deepEqual(await readWrongs(database), []);
  await checkLedger(database);
  await old.end('SIGTERM');
  await service.stop();
});
