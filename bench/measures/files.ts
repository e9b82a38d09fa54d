import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/ground/database/database.ts';
import { copyFrom, copyTo } from '../copy.ts';
import { fill } from '../fill.ts';
import { writePeople } from '../people-file.ts';
import { type Bench, createAccess, peakMegabytes, type Service } from '../programs.ts';
import { inRounds, type Series } from '../series.ts';
import type { Sizes } from '../sizes.ts';

const root = join(import.meta.dirname, '../..');

/** Milliseconds of CSV files out of and into the service, beside COPY over the same connections, and the memory that they take. */
export async function measureFiles(bench: Bench, { rounds, warmUps, files }: Sizes): Promise<Series> {
  const service = await bench.startService('files');
  const exports = await exportMeasures(bench, service, files.rows);
  const imports = await importMeasures(bench, service, files.people);
  await inRounds(Math.min(1, warmUps), { ...exports, ...imports });
  const series = await inRounds(rounds, { ...exports, ...imports });
  return { ...series, ...(await measureMemory(bench, files)) };
}

async function exportMeasures(bench: Bench, service: Service, rows: number) {
  const { workspaceId, database } = service;
  const half = rows / 2;
  const company = { workspaceId, members: rows, gifts: half, giftsPerOrder: 20, shoutouts: half };
  await fill(database, company, () => {});
  // Everybody is in the report of who was last recognized.
  await database.query(recognizeSql, [workspaceId]);
  await database.pool.query('vacuum full members');
  // All tables: with stale statistics of the small ones, COPY would join the activities row by row.
  await database.pool.query('vacuum (analyze)');
  await bench.checkpoint();
  const out = join(bench.folder, 'out.csv');
  return {
    lastFile: () => timed(() => download(service, 'members/last-recognized', out)),
    lastCopied: () => timed(() => withClient(database, (client) => copyTo(client, lastSql(workspaceId), out))),
    activityFile: () => timed(() => download(service, 'teams/activity', out)),
    activityCopied: () => timed(() => withClient(database, (client) => copyTo(client, activitySql(workspaceId), out))),
  };
}

async function importMeasures(bench: Bench, service: Service, people: number) {
  const { database } = service;
  const path = join(bench.folder, 'people.csv');
  await writePeople(path, people);
  const file = await readFile(path);
  let latest = await createAccess(database, 1);
  await upload(service, latest, file);
  const model = latest.workspaceId;
  return {
    imported: async () => {
      latest = await createAccess(database, 1);
      await bench.checkpoint();
      return timed(() => upload(service, latest, file));
    },
    importedAgain: async () => {
      await database.pool.query('vacuum (analyze) members, member_texts, team_members');
      await bench.checkpoint();
      return timed(() => upload(service, latest, file));
    },
    importCopied: async () => {
      const copies = await writeFinished(bench, database, model);
      await bench.checkpoint();
      return timed(() =>
        withClient(database, async (client) => {
          for (const { table, columns, path } of copies) await copyFrom(client, table, columns, path);
        }),
      );
    },
  };
}

/** Writes what an import has made of the file, as it would stand in another workspace: the rows that COPY has to write. */
async function writeFinished(bench: Bench, database: Database, model: number) {
  const { workspaceId } = await createAccess(database, 1);
  await database.query(
    `insert into teams (workspace_id, name) select $1, name from teams where workspace_id = $2 on conflict do nothing`,
    [workspaceId, model],
  );
  const [ids] = await database.query<{ shift: number }>(shiftSql, [model]);
  const shift = ids?.shift ?? 0;
  const [all] = await database.query<{ columns: string }>(columnsSql);
  const moved: Record<string, string> = {
    workspace_id: String(workspaceId),
    id: `m.id + ${shift}`,
    manager_id: `m.manager_id + ${shift}`,
    team_id: `(select there.id from teams here join teams there on there.workspace_id = ${workspaceId} and there.name = here.name
                where here.workspace_id = ${model} and here.id = m.team_id)`,
    member_id: `m.member_id + ${shift}`,
    text: 'm.text',
  };
  const tables = { members: all?.columns ?? '', member_texts: memberTexts, team_members: teamMembers };
  const copies = Object.entries(tables).map(([table, columns]) => ({
    table,
    columns,
    path: join(bench.folder, table),
  }));
  for (const { table, columns, path } of copies) {
    const cells = columns.split(', ').map((name) => moved[name] ?? `m.${name}`);
    const people = table === 'members' ? 'and not m.is_integration order by m.id' : '';
    const select = `select ${cells.join(', ')} from ${table} m where m.workspace_id = ${model} ${people}`;
    await withClient(database, (client) => copyTo(client, select, path));
  }
  return copies;
}

const memberTexts = 'workspace_id, member_id, text';
const teamMembers = 'workspace_id, team_id, member_id';

/** The ids of the new people follow those of everybody else. */
const shiftSql = `
  select setval(pg_get_serial_sequence('members', 'id'), 1 + 2 * (select max(id) from members)) - min(id) as shift
    from members
   where workspace_id = $1`;

const columnsSql = `
  select string_agg(attname, ', ' order by attnum) as columns
    from pg_attribute
   where attrelid = 'members'::regclass and attnum > 0 and attgenerated = '' and not attisdropped`;

const recognizeSql = `
  update members
     set recognition_count = 1, last_recognized_on = date '2026-01-01' + (id % 300)::int, last_recognized_by = 'GIFT', last_recognized_number = 1
   where workspace_id = $1 and not is_integration and last_recognized_on is null`;

const lastSql = (workspaceId: number) => `
  select m.email, m.first_name, m.last_name, m.last_recognized_on, m.last_recognized_by, m.employee_number, m.department, m.cost_centre,
         m.location, t.name, m.left_at is null
    from members m
    left join teams t on t.workspace_id = m.workspace_id and t.id = m.team_id
   where m.workspace_id = ${workspaceId} and m.last_recognized_on is not null and m.left_at is null
   order by m.last_recognized_on desc, m.id`;

const activitySql = (workspaceId: number) => `
  select a.status, a.type, to_char(a.created_on at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), sender.id, sender.email, sender.first_name,
         sender.last_name, receiver.id, receiver.email, receiver.first_name, receiver.last_name, coalesce(a.description, c.message),
         reason.description, a.is_private, t.name
    from activities a
    join workspaces w on w.id = a.workspace_id
    join members sent_as on sent_as.workspace_id = a.workspace_id and sent_as.id = a.sender_id
    join members sender on sender.workspace_id = a.workspace_id and sender.id = coalesce(sent_as.merged_into, sent_as.id)
    join members received_as on received_as.workspace_id = a.workspace_id and received_as.id = a.receiver_id
    join members receiver on receiver.workspace_id = a.workspace_id and receiver.id = coalesce(received_as.merged_into, received_as.id)
    join teams t on t.workspace_id = a.workspace_id and t.id = receiver.team_id
    join reasons reason on reason.workspace_id = a.workspace_id and reason.id = coalesce(a.reason_id, w.default_reason_id)
    left join certificates c on c.workspace_id = a.workspace_id and c.request_id = a.request_id and c.position = a.position
   where a.workspace_id = ${workspaceId} and a.status <> 'DECLINED'
   order by a.number desc`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function withClient<T>(
  { pool }: Database,
  work: (client: Parameters<typeof copyTo>[0]) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

/** Returns after how many milliseconds the file began. */
async function download({ url, call }: Service, report: string, path: string): Promise<number> {
  const { headers, path: address } = call('GET', `/api/v1/reports/${report}`);
  const asked = performance.now();
  const answer = await ask(url + address, { headers: { ...headers, Accept: 'text/csv' } });
  if (answer.statusCode !== 200) throw new Error(`${report}: ${answer.statusCode} ${await text(answer)}`);
  const begunMs = performance.now() - asked;
  await pipeline(answer, createWriteStream(path));
  return begunMs;
}

async function upload(
  { url }: Service,
  { workspaceId, token }: { workspaceId: number; token: string },
  file: Buffer,
): Promise<void> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'X-Workspace-id': String(workspaceId),
    'Content-Type': 'text/csv',
  };
  const answer = await text(await ask(`${url}/api/v1/members/import`, { method: 'POST', headers }, file));
  const { complete, rejected } = JSON.parse(answer) as { complete?: boolean; rejected?: number };
  if (!complete || rejected !== 0) throw new Error(`import: ${answer.slice(0, 500)}`);
}

/** On a connection of its own: minutes lie between two files, and the service closes connections that are idle for so long. */
async function ask(url: string, options: RequestOptions, body?: Buffer): Promise<IncomingMessage> {
  const asked = request(url, { ...options, agent: false }).end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

/** The most memory that files take: of the service that writes them, and of the command that imports them. And when large ones begin. */
async function measureMemory(bench: Bench, { people, large }: Sizes['files']): Promise<Series> {
  const series: Series = {};
  for (const [name, rows] of Object.entries({ Small: people, Large: large })) {
    const service = await bench.startService(`memory_${name}`.toLowerCase());
    const { workspaceId, database } = service;
    await fill(database, { workspaceId, members: rows, gifts: rows, giftsPerOrder: 20 }, () => {});
    series.begun = [];
    for (const report of ['members/last-recognized', 'teams/activity'])
      series.begun.push(await download(service, report, join(bench.folder, 'out.csv')));
    series[`exportMemory${name}`] = [peakMegabytes(service.pid) ?? Number.NaN];
    const path = join(bench.folder, 'people.csv');
    await writePeople(path, rows);
    series[`importMemory${name}`] = [await importByCommand(service, workspaceId + 1, path)];
  }
  return series;
}

/** The peak of the memory of `giftwire members import`, which takes files of any size. */
async function importByCommand({ database }: Service, workspaceId: number, path: string): Promise<number> {
  const args = [join(root, 'bin/giftwire.js'), 'members', 'import', path, '--workspace', String(workspaceId)];
  const env = { HOME: process.env.HOME ?? '', PATH: process.env.PATH ?? '', DATABASE_URL: database.url };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  let peak = 0;
  const ended = once(child, 'exit');
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, peakMegabytes(child.pid as number) ?? 0);
    await Promise.race([ended, sleep(100)]);
  }
  if (child.exitCode !== 0) throw new Error(`the import of ${path} ended with ${child.exitCode}`);
  return peak;
}
