import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { within } from '../../support/eventually.ts';
import { makeFolder } from '../cluster.ts';
import type { Fault, Stage } from '../fault.ts';
import { startLoad } from '../load.ts';
import { type Program, type Rig, root } from '../rig.ts';

const nextMigration = '9999_next_version';
const unreadyWithinMs = 5_000;

// A change that a next version might make: a rule that rejects gifts issued by the previous version.
const nextSchema = `
  create function next_version_only() returns trigger language plpgsql as $$
  begin
    if current_setting('application_name') not like 'giftwire next %' then
      raise exception 'this gift lacks what the next version writes';
    end if;
    return new;
  end $$;
  create trigger next_version_only before insert on certificates for each row execute function next_version_only();`;

/** A copy of the project as the next version, with one more migration. */
async function makeNextVersion({ scope }: Stage): Promise<string> {
  const folder = await makeFolder(scope);
  for (const name of ['src', 'bin', 'package.json'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'src/database/migrations', `${nextMigration}.sql`), nextSchema);
  const driver = join(folder, 'src/database/database.ts');
  const text = await readFile(driver, 'utf8');
  await writeFile(driver, text.replace('application_name: `giftwire ', 'application_name: `giftwire next '));
  return folder;
}

const rollingUpgrade: Fault = {
  name: 'rolling-upgrade',
  what: 'nodes are replaced by the next version one by one under load; the old ones turn unready, fail no order and do not start again',
  async run(stage) {
    const { rig, journal, random, long } = stage;
    const folder = await makeNextVersion(stage);
    const [api, ...workers] = await Promise.all([rig.start('api'), rig.start('worker'), rig.start('worker')]);
    const load = startLoad(stage, random.fork('load'), { clients: long ? 24 : 10, pauseMs: 150 });
    await load.accepted(long ? random.int(40, 200) : random.int(20, 60));

    await rig.start('worker', { folder });
    for (const old of workers) await requireUnready(stage, old);
    await load.accepted(20);
    await requireRefusal(stage);
    await sleep(random.int(0, 1_000));
    for (const old of workers) await old.end(random.chance(0.5) ? 'SIGKILL' : 'SIGTERM');

    journal.rules.mayBeLost = true;
    await api.end('SIGTERM');
    await rig.start('api', { folder });
    await load.accepted(20);
    await load.stop();
    await requireNoneFailed(rig, stage);
    return undefined;
  },
};

async function requireUnready({ journal }: Stage, old: Program): Promise<void> {
  const isUnready = () =>
    fetch(`${old.url}/health/ready`).then(
      ({ status }) => status === 503,
      () => false,
    );
  const turned = await within(unreadyWithinMs * journal.patience, isUnready);
  journal.require(turned, 'A node of the version before goes on saying that it is ready.');
}

/** The version before does not start on the new schema, and says why. */
async function requireRefusal({ rig, journal }: Stage): Promise<void> {
  const args = ['bin/giftwire.js', 'serve'];
  const outcome = await promisify(execFile)(process.execPath, args, { cwd: root, env: rig.env('worker') }).then(
    () => 'it ended with 0',
    ({ stderr, stdout }: { stderr: string; stdout: string }) => stderr + stdout,
  );
  const isClear = outcome.includes(nextMigration) && !/^\s+at /m.test(outcome);
  journal.require(isClear, `The version before, started on the new schema, said: ${outcome.slice(0, 300)}`);
}

async function requireNoneFailed(rig: Rig, { journal }: Stage): Promise<void> {
  const failed = await rig.database.query('select from orders where failure is not null');
  journal.require(failed.length === 0, `${failed.length} orders have failed through the upgrade.`);
}

export const versionFaults = [rollingUpgrade];
