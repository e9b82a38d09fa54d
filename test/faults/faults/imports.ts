import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { findMember } from '../../../src/company/directory/members.ts';
import { mergeMembers } from '../../../src/company/directory/merge.ts';
import { theService } from '../../../src/company/workspaces/audit.ts';
import type { Database } from '../../../src/ground/database/database.ts';
import { Failure } from '../../../src/ground/errors.ts';
import type { Random } from '../../support/random.ts';
import { makeFolder } from '../cluster.ts';
import type { Fault, Stage } from '../fault.ts';
import type { Journal } from '../journal.ts';
import { startLoad } from '../load.ts';
import { identityOf } from '../orders.ts';

const root = join(import.meta.dirname, '../../..');

/** Somebody of the file, as orders name them too. */
interface Employee {
  nth: number;
  key: string;
  identity: string;
  /** The key of somebody further down, so that all managers are looked for at the end. */
  manager: string | null;
}

const importWithMerges: Fault = {
  name: 'import-with-merges',
  what: 'people are merged and get gifts while the real command imports them; every manager is right in the end',
  async run(stage) {
    const { scope, rig, cluster, journal, random, long } = stage;
    const people = makePeople(random.fork('people'), long ? 30_000 : 2_000);
    for (const { identity } of people) journal.imported.add(identity);
    const file = join(await makeFolder(scope), 'people.csv');
    const rows = people.map(({ key, manager }) => [key.includes('@') ? [key, ''] : ['', key], manager ?? ''].join(','));
    await writeFile(file, `${['email,employeeNumber,manager', ...rows].join('\n')}\n`);
    await rig.start('all');
    const load = startLoad(stage, random.fork('load'), { clients: 4, people: people.length });
    const { workspaceId } = cluster.access;
    let isImporting = true;
    const merging = mergePeople(rig.database, workspaceId, journal, random.fork('merges'), people, () => isImporting);
    const { code, stdout, stderr } = await runImport(stage, file, workspaceId);
    isImporting = false;
    const merges = await merging;
    await load.stop();
    journal.require(merges > 0, 'Nobody was merged while the import ran.');
    journal.require(stderr === '', `The import complained: ${stderr.slice(0, 300)}.`);
    const outcome = stdout.startsWith('{') ? JSON.parse(stdout) : null;
    journal.require(
      outcome !== null && outcome.stopped === null,
      `The import ended with ${code} and was not complete.`,
    );
    journal.require(outcome?.rows === people.length, `The import took ${outcome?.rows} of ${people.length} rows.`);
    await compareManagers(rig.database, workspaceId, journal, people);
    return undefined;
  },
};

function makePeople(random: Random, count: number): Employee[] {
  // As orders name them: every third is known by number alone.
  const keyOf = (nth: number) => (nth % 3 === 0 ? `E${nth}` : `person.${nth}@example.com`);
  return Array.from({ length: count }, (_, index) => {
    const nth = index + 1;
    const key = keyOf(nth);
    const manager = nth === count ? null : keyOf(random.int(nth + 1, count));
    return { nth, key, manager, identity: identityOf(key.includes('@') ? { email: key } : { employeeNumber: key }) };
  });
}

/** Merges people who are there already, one pair after the other. Returns how many pairs. */
async function mergePeople(
  database: Database,
  workspaceId: number,
  journal: Journal,
  random: Random,
  people: readonly Employee[],
  isGoingOn: () => boolean,
): Promise<number> {
  let merges = 0;
  for (; isGoingOn(); await sleep(random.int(5, 30))) {
    const from = random.pick(people);
    const into = random.pick(people);
    if (from === into || journal.merged.has(from.identity) || journal.merged.has(into.identity)) continue;
    const isMerged = await database
      .transaction(async (tx) => {
        const id = await findMember(tx, workspaceId, into.key);
        await mergeMembers(tx, theService, workspaceId, await findMember(tx, workspaceId, from.key), id);
        return true;
      })
      .catch((error: unknown) => {
        // The import has not come to one of them yet.
        if (error instanceof Failure && error.kind === 'setup') return false;
        throw error;
      });
    if (!isMerged) continue;
    journal.merged.set(from.identity, into.identity);
    merges++;
  }
  return merges;
}

async function runImport({ rig, cluster }: Stage, file: string, workspaceId: number) {
  const args = ['bin/giftwire.js', 'members', 'import', file, '--workspace', String(workspaceId), '--json'];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? tmpdir(),
      NODE_COMPILE_CACHE: join(tmpdir(), 'giftwire-test-cache'),
      DATABASE_URL: cluster.url(rig.name),
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/**
 * Everybody has the manager of their row, or of a record that was merged into theirs. Somebody who was merged with their own
 * manager may have none.
 */
async function compareManagers(
  database: Database,
  workspaceId: number,
  journal: Journal,
  people: readonly Employee[],
): Promise<void> {
  const rows = await database.query<{ email: string | null; number: string | null; manager: string | null }>(
    `select m.email, m.employee_number as number, coalesce(b.email, b.employee_number) as manager
       from members m
       left join members b on b.workspace_id = m.workspace_id and b.id = m.manager_id
      where m.workspace_id = $1 and not m.is_integration and m.merged_into is null`,
    [workspaceId],
  );
  const identities = new Map(people.map(({ key, identity }) => [key, identity]));
  const whoIs = (key: string) => journal.whoIs(identities.get(key.toLowerCase()) ?? identities.get(key) ?? key);
  const groups = Map.groupBy(people, ({ identity }) => journal.whoIs(identity));
  let wrong = 0;
  for (const { email, number, manager } of rows) {
    const who = whoIs(email ?? number ?? '');
    const possible = (groups.get(who) ?? []).map((one) => (one.manager === null ? null : whoIs(one.manager)));
    const isRight =
      manager === null
        ? possible.some((one) => one === null || one === who)
        : whoIs(manager) !== who && possible.includes(whoIs(manager));
    if (!isRight) wrong++;
  }
  journal.require(rows.length === groups.size, `There are ${rows.length} people for ${groups.size} in the file.`);
  journal.require(wrong === 0, `${wrong} of ${rows.length} people have another manager than the file says.`);
}

export const importFaults = [importWithMerges];
