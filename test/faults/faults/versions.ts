import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { within } from '../../support/eventually.ts';
import { makeFolder } from '../cluster.ts';
import type { Fault, Stage } from '../fault.ts';
import { startLoad } from '../load.ts';
import { type Program, type Rig, root } from '../rig.ts';

const unreadyWithinMs = 5_000;

interface Version {
  /** What its connections are called after "giftwire". */
  name: string;
  migration: string;
  sql: string;
}

// A change that lets nodes of this version serve on. The column says which version has issued a gift.
const next: Version = {
  name: 'next',
  migration: '9998_next_version',
  sql: `alter table certificates add column issued_by text;
        alter table certificates alter column issued_by set default current_setting('application_name');`,
};

// A rule that rejects gifts issued by this version. The next version would keep it.
const afterNext: Version = {
  name: 'next but one',
  migration: '9999_next_but_one',
  sql: `
    create function newer_versions_only() returns trigger language plpgsql as $$
    begin
      if current_setting('application_name') not like 'giftwire next %' then
        raise exception 'this gift lacks what newer versions write';
      end if;
      return new;
    end $$;
    create trigger newer_versions_only before insert on certificates for each row execute function newer_versions_only();`,
};

/** A copy of the project as another version, with the migrations of `versions`: the last one is the release, after the ones before it. */
async function makeVersion({ scope }: Stage, ...versions: Version[]): Promise<string> {
  const folder = await makeFolder(scope);
  for (const name of ['src', 'bin', 'package.json'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const migrations = join(folder, 'src/ground/database/migrations');
  for (const { migration, sql } of versions.slice(0, -1)) await writeFile(join(migrations, `${migration}.sql`), sql);
  const previous = (await readdir(migrations)).sort().at(-1)?.slice(0, -'.sql'.length);
  const { name, migration, sql } = versions.at(-1) as Version;
  await writeFile(join(migrations, `${migration}.sql`), sql);
  const edit = (file: string, find: RegExp, replace: string) =>
    editFile(join(folder, 'src/ground/database', file), find, replace);
  await edit('schema.ts', /previousRelease: string \| null = .*;/, `previousRelease: string | null = '${previous}';`);
  await edit('database.ts', /application_name: `giftwire /, `application_name: \`giftwire ${name} `);
  return folder;
}

async function editFile(path: string, find: RegExp, replace: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  if (!find.test(text)) throw new Error(`${path} has no ${find}`);
  await writeFile(path, text.replace(find, replace));
}

const rollingUpgrade: Fault = {
  name: 'rolling-upgrade',
  what: 'nodes are replaced under load by the next version, beside which they serve, and by the one after, on which they turn unready, fail no order and do not start again',
  async run(stage) {
    const { rig, journal, random, long } = stage;
    const nextFolder = await makeVersion(stage, next);
    const lastFolder = await makeVersion(stage, next, afterNext);
    const [api, ...workers] = await Promise.all([rig.start('api'), rig.start('worker'), rig.start('worker')]);
    const load = startLoad(stage, random.fork('load'), { clients: long ? 24 : 10, pauseMs: 150 });
    await load.accepted(long ? random.int(40, 200) : random.int(20, 60));

    const newWorker = await rig.start('worker', { folder: nextFolder });
    await load.accepted(20);
    await requireBothIssue(stage);
    for (const old of [api, ...workers]) await requireReady(stage, old);
    // Before it is replaced, an old node may be killed and start again.
    await (workers.pop() as Program).end('SIGKILL');
    workers.push(await rig.start('worker'));
    await newWorker.end(random.chance(0.5) ? 'SIGKILL' : 'SIGTERM');

    await rig.start('worker', { folder: lastFolder });
    for (const old of workers) await requireUnready(stage, old);
    await load.accepted(20);
    await requireRefusal(stage);
    await sleep(random.int(0, 1_000));
    for (const old of workers) await old.end(random.chance(0.5) ? 'SIGKILL' : 'SIGTERM');

    journal.rules.mayBeLost = true;
    await api.end('SIGTERM');
    await rig.start('api', { folder: lastFolder });
    await load.accepted(20);
    await load.stop();
    await requireNoneFailed(rig, stage);
    return undefined;
  },
};

async function requireBothIssue({ rig, journal }: Stage): Promise<void> {
  const issuers = async () =>
    (await rig.database.query<{ name: string }>('select distinct issued_by as name from certificates')).map(
      ({ name }) => name,
    );
  const both = ['giftwire jobs', 'giftwire next jobs'];
  const isShared = await within(unreadyWithinMs * journal.patience, async () => {
    const names = await issuers();
    return both.every((name) => names.includes(name));
  });
  journal.require(isShared, `Gifts were issued by ${await issuers()}, and not by ${both.join(' and ')}.`);
}

async function requireReady({ journal }: Stage, old: Program): Promise<void> {
  const status = await readiness(old);
  journal.require(status === 200, `Beside the next version, a node says ${status} and not that it is ready.`);
}

async function requireUnready({ journal }: Stage, old: Program): Promise<void> {
  const turned = await within(unreadyWithinMs * journal.patience, async () => (await readiness(old)) === 503);
  journal.require(turned, 'A node that is two versions behind goes on saying that it is ready.');
}

function readiness({ url }: Program): Promise<number | null> {
  return fetch(`${url}/health/ready`).then(
    ({ status }) => status,
    () => null,
  );
}

/** This version does not start on the schema of the version after next, and says why. */
async function requireRefusal({ rig, journal }: Stage): Promise<void> {
  const args = ['bin/giftwire.js', 'serve'];
  const outcome = await promisify(execFile)(process.execPath, args, { cwd: root, env: rig.env('worker') }).then(
    () => 'it ended with 0',
    ({ stderr, stdout }: { stderr: string; stdout: string }) => stderr + stdout,
  );
  const isClear = outcome.includes(afterNext.migration) && !/^\s+at /m.test(outcome);
  journal.require(isClear, `A version two behind, started on the new schema, said: ${outcome.slice(0, 300)}`);
}

async function requireNoneFailed(rig: Rig, { journal }: Stage): Promise<void> {
  const failed = await rig.database.query('select from orders where failure is not null');
  journal.require(failed.length === 0, `${failed.length} orders have failed through the upgrade.`);
}

export const versionFaults = [rollingUpgrade];
