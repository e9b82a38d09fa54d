import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { within } from '../../support/eventually.ts';
import { Allowances } from '../allowances.ts';
import { Approvals } from '../approvals.ts';
import { type Balancer, startBalancer } from '../balancer.ts';
import { type Cluster, makeFolder } from '../cluster.ts';
import type { Fault, Stage } from '../fault.ts';
import { startLoad } from '../load.ts';
import { identityOf } from '../orders.ts';
import { openClusterOf, openPreviousRelease } from '../previous-release.ts';
import { type Program, type Rig, root } from '../rig.ts';
import { untried } from './money.ts';

const unreadyWithinMs = 5_000;
const triedWithinMs = 20_000;

/** The folder of the release before, by the cluster whose databases it has made. */
const previousFolders = new WeakMap<Cluster, string>();

interface Version {
  /** What its connections are called after "giftwire". */
  name: string;
  migration: string;
  sql: string;
}

// The schema of this version, if it has no migration yet that the release before lacks.
const thisVersion: Version = { name: 'this', migration: '9998_this_version', sql: 'select 1;' };

// A rule that rejects gifts issued by this version and by the one before.
const next: Version = {
  name: 'next',
  migration: '9999_next_version',
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

type Kind = `${'old' | 'new' | 'next'} ${'api' | 'worker'}`;

/** Nodes of two versions: an API and a worker of each. The APIs are behind one address. */
class Nodes {
  readonly #stage: Stage;
  readonly #balancer: Balancer;
  readonly #folders: Record<'old' | 'new' | 'next', string>;
  readonly running = new Map<Kind, Program>();

  constructor(stage: Stage, balancer: Balancer, folders: Record<'old' | 'new' | 'next', string>) {
    this.#stage = stage;
    this.#balancer = balancer;
    this.#folders = folders;
  }

  async start(kind: Kind): Promise<void> {
    const [version, role] = kind.split(' ') as ['old' | 'new' | 'next', 'api' | 'worker'];
    const options = { folder: this.#folders[version], isBehindBalancer: true };
    this.running.set(kind, await this.#stage.rig.start(role, options));
    this.#balance();
  }

  /** No new connection reaches an API that is about to end. */
  async end(kind: Kind, signal: NodeJS.Signals): Promise<void> {
    const program = this.running.get(kind) as Program;
    this.running.delete(kind);
    this.#balance();
    await program.end(signal);
  }

  #balance(): void {
    const apis = [...this.running].filter(([kind]) => kind.endsWith('api'));
    this.#balancer.use(apis.map(([, { url }]) => url));
  }
}

const rollingUpgrade: Fault = {
  name: 'rolling-upgrade',
  what: 'the program of the previous release and this one serve side by side on its database, and restart in turns, while orders wait for approval and are decided; one version later both turn unready, fail no order and do not start again',
  async openCluster(scope, folder) {
    const previous = await openPreviousRelease(scope);
    const cluster = await openClusterOf(previous, scope, folder);
    previousFolders.set(cluster, previous);
    return cluster;
  },
  async run(stage) {
    const { scope, cluster, rig, client, journal, random, long } = stage;
    const previous = previousFolders.get(cluster) as string;
    const nodes = new Nodes(stage, await startBalancer(scope, rig.url), {
      old: previous,
      new: root,
      next: await makeVersion(stage, thisVersion, next),
    });
    await Promise.all([nodes.start('old api'), nodes.start('old worker')]);
    const allowances = await Allowances.open(stage);
    const load = startLoad(stage, random.fork('load'), {
      clients: long ? 24 : 8,
      pauseMs: 150,
      restOfSpending: long ? 1 : 2,
    });
    const approvals = await Approvals.open(stage, previous);
    await load.accepted(long ? random.int(40, 200) : random.int(20, 40));

    // The first node of this version migrates the database under the load of the others.
    await nodes.start('new worker');
    for (const [kind, node] of nodes.running) await requireReady(stage, kind, node);
    await nodes.start('new api');
    // A node that is killed does not respond any longer.
    journal.rules.mayBeLost = true;
    for (let round = 0; round < (long ? 5 : 1); round++)
      for (const [nth, kind] of random.shuffled([...nodes.running.keys()]).entries()) {
        await allowances.fallDue();
        await approvals.letSomeExpire();
        await importPeople(stage, nth % 2 === 0 ? previous : root);
        await load.accepted(10);
        await client.busy();
        await nodes.end(kind, random.chance(0.5) ? 'SIGKILL' : 'SIGTERM');
        await nodes.start(kind);
      }
    await within(triedWithinMs * journal.patience, async () => untried(journal).length === 0);
    for (const what of untried(journal)) journal.violated(`The load has never ${what}.`);
    for (const [kind, node] of nodes.running) await requireWork(stage, kind, node);
    await allowances.check();
    await approvals.end({ decidesTogether: false });
    const { rejections } = journal;
    journal.require(
      rejections.length === 0,
      `Behind the load balancer, ${rejections.length} requests were rejected during the upgrade, the first after ${rejections[0]}`,
    );

    await refuseOlderNodes(stage, nodes, previous);
    await load.accepted(20);
    await load.stop();
    await requireNoneFailed(rig, stage);
    return undefined;
  },
};

/** The version after this one starts: nodes of the two before it end their work, and cannot start again. */
async function refuseOlderNodes(stage: Stage, nodes: Nodes, previous: string): Promise<void> {
  const older = [...nodes.running.keys()];
  await nodes.start('next worker');
  await requireUnready(stage, 'old worker', nodes);
  await requireUnready(stage, 'new worker', nodes);
  for (const folder of [previous, root]) await requireRefusal(stage, folder);
  await nodes.start('next api');
  await sleep(stage.random.int(0, 1_000));
  for (const kind of older) await nodes.end(kind, stage.random.chance(0.5) ? 'SIGKILL' : 'SIGTERM');
}

/** People of the load get other names. */
async function importPeople({ scope, rig, cluster, journal, random }: Stage, folder: string): Promise<void> {
  const people = Array.from({ length: 40 }, (_, index) => index + 1);
  const cells = people.map((nth) => (nth % 3 === 0 ? ['', `E${nth}`] : [`person.${nth}@example.com`, '']));
  for (const [email, employeeNumber] of cells)
    journal.imported.add(identityOf(email ? { email } : { employeeNumber: employeeNumber as string }));
  const file = join(await makeFolder(scope), 'people.csv');
  const rows = cells.map(([email, number], index) => `${email},${number},Person ${index} of ${random.int(0, 999)}`);
  await writeFile(file, `${['email,employeeNumber,firstName', ...rows].join('\n')}\n`);
  const workspace = String(cluster.access.workspaceId);
  const outcome = await rig.commandIn(folder, 'members', 'import', file, '--workspace', workspace, '--json');
  const isWhole = outcome.stdout.startsWith('{') && JSON.parse(outcome.stdout).stopped === null;
  journal.require(isWhole, `An import by ${folder} said: ${(outcome.stderr + outcome.stdout).slice(0, 300)}`);
}

/** Each node takes part: an API accepts orders and a worker completes them. */
async function requireWork({ journal }: Stage, kind: Kind, { url }: Program): Promise<void> {
  const counter = kind.endsWith('api') ? 'giftwire_orders_accepted_total' : 'giftwire_orders_completed_total';
  const works = await within(triedWithinMs * journal.patience, async () => {
    const text = await fetch(`${url}/metrics`).then((response) => response.text());
    return Number(new RegExp(`^${counter} (\\d+)`, 'm').exec(text)?.[1] ?? 0) > 0;
  });
  journal.require(works, `Beside the other version, the ${kind} has counted no ${counter}.`);
}

async function requireReady({ journal }: Stage, kind: Kind, node: Program): Promise<void> {
  const status = await readiness(node);
  journal.require(status === 200, `Beside the other version, the ${kind} says ${status} and not that it is ready.`);
}

async function requireUnready({ journal }: Stage, kind: Kind, nodes: Nodes): Promise<void> {
  const node = nodes.running.get(kind) as Program;
  const turned = await within(unreadyWithinMs * journal.patience, async () => (await readiness(node)) === 503);
  journal.require(turned, `On the schema of the version after this one, the ${kind} goes on saying that it is ready.`);
}

function readiness({ url }: Program): Promise<number | null> {
  return fetch(`${url}/health/ready`).then(
    ({ status }) => status,
    () => null,
  );
}

/** This version and the one before do not start on the schema of the version after next, and say why. */
async function requireRefusal({ rig, journal }: Stage, folder: string): Promise<void> {
  const args = ['bin/giftwire.js', 'serve'];
  const outcome = await promisify(execFile)(process.execPath, args, { cwd: folder, env: rig.env('worker') }).then(
    () => 'it ended with 0',
    ({ stderr, stdout }: { stderr: string; stdout: string }) => stderr + stdout,
  );
  const isClear = outcome.includes(next.migration) && !/^\s+at /m.test(outcome);
  journal.require(isClear, `The program in ${folder}, started on a newer schema, said: ${outcome.slice(0, 300)}`);
}

async function requireNoneFailed(rig: Rig, { journal }: Stage): Promise<void> {
  const failed = await rig.database.query(
    `select
       from orders o
       left join order_approvals a using (workspace_id, request_id)
      where o.failure is not null
        and coalesce(a.state, '') not in ('DECLINED', 'EXPIRED')`,
  );
  journal.require(failed.length === 0, `${failed.length} orders have failed through the upgrade.`);
}

export const versionFaults = [rollingUpgrade];
