import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { historyId } from '../../ground/database/history.ts';
import { Failure } from '../../ground/errors.ts';
import { isObject } from '../../ground/values/differences.ts';

/*
 * Which records were erased, as ids alone. It is kept outside of the database, because a backup that is older than an erasure still has the person:
 * after a restore they are erased again.
 */

export interface ErasedRecord {
  workspaceId: number;
  memberId: number;
}

export function recordKey({ workspaceId, memberId }: ErasedRecord): string {
  return `${workspaceId} ${memberId}`;
}

export interface ErasedList {
  /** The first history of the database: ids of another installation are those of other people. */
  installation: string;
  erased: ErasedRecord[];
}

const format = 'giftwire-erased-1';

/** The list of a database. */
export async function readErasedList(on: Queryable): Promise<ErasedList> {
  const { installation } = await queryOne<{ installation: string }>(on, `select ${installationId} as installation`);
  return { installation, erased: await on.query<ErasedRecord>(erasedSql(`state in ('RUNNING', 'DONE')`)) };
}

const installationId = '(select id from histories order by base limit 1)';

const erasedSql = (which: string) => `
  select workspace_id as "workspaceId", unnest(coalesce(records, array[member_id])) as "memberId"
    from erasures
   where ${which}
   order by 1, 2`;

/** Those whose erasure runs, or was done after a moment: each has an index. */
const erasedSinceSql = `
  select * from (${erasedSql("state = 'RUNNING'")}) running
   union all
  select * from (${erasedSql("state = 'DONE' and done_at >= $1::timestamptz")}) done`;

/** The file of the list beside the backups. Several installations may share the folder. */
export function erasedFile(folder: string, installation: string): string {
  return join(folder, `giftwire-erased-${installation}.json`);
}

/** A file as the service and `giftwire erasures list` write it. Null: no such file. */
export async function readErasedFile(file: string): Promise<ErasedList | null> {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const list = parsed(text);
  if (!isObject(list) || list.format !== format || !Array.isArray(list.erased) || !list.erased.every(isRecord))
    throw new Failure('setup', `${file} is no list of erased people: "giftwire erasures list" writes one.`);
  return { installation: String(list.installation), erased: list.erased };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is ErasedRecord {
  return isObject(value) && Number.isSafeInteger(value.workspaceId) && Number.isSafeInteger(value.memberId);
}

/** Writes a list with what the file has already: a database that went back in time lacks some. Complete, or not at all. */
export async function writeErasedFile(file: string, { installation, erased }: ErasedList): Promise<void> {
  const before = await readErasedFile(file);
  if (before && before.installation !== installation) throw foreign(file);
  const all = new Map<string, ErasedRecord>();
  for (const one of [...(before?.erased ?? []), ...erased])
    all.set(recordKey(one), { workspaceId: one.workspaceId, memberId: one.memberId });
  if (before && all.size === before.erased.length) return;
  const partial = `${file}.${randomUUID()}.partial`;
  await writeFile(partial, listText({ installation, erased: [...all.values()] }), {
    mode: 0o600,
    flush: true,
  });
  await rename(partial, file);
}

/** What a process has written. It reads all erasures again every hour, and in another history: a database that went back in time has other ones. */
export interface KeptList {
  /** The folder, the history and the hour. */
  place: string;
  /** All erasures that were done before are in the file. */
  since: string;
  keys: ReadonlySet<string>;
}

/** A transaction that was slow to commit may have an earlier time. */
const slowestCommit = `interval '1 hour'`;

/**
 * Keeps the list beside the backups up to date, so that it is where a restore looks for it. The first call of a process reads all erasures, later ones those
 * that are new. Returns what the next call needs.
 */
export async function keepErasedList(
  on: Queryable,
  folder: string | null,
  kept: KeptList | null,
): Promise<KeptList | null> {
  if (folder === null) return null;
  const { installation, history, hour, since } = await queryOne<
    Record<'installation' | 'history' | 'hour' | 'since', string>
  >(
    on,
    `select ${installationId} as installation, ${historyId} as history,
            date_trunc('hour', now())::text as hour, (now() - ${slowestCommit})::text as since`,
  );
  const place = [folder, history, hour].join(' ');
  const known = kept?.place === place ? kept : null;
  const erased = known
    ? await on.query<ErasedRecord>(erasedSinceSql, [known.since])
    : (await readErasedList(on)).erased;
  const keys = new Set(erased.map(recordKey));
  if (!keys.isSubsetOf(known?.keys ?? new Set())) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeErasedFile(erasedFile(folder, installation), { installation, erased });
  }
  return { place, since, keys };
}

/** One record on each line, so that people can compare two lists. */
export function listText({ installation, erased }: ErasedList): string {
  const lines = erased.map((one) => `  ${JSON.stringify(one)}`);
  return `{"format":"${format}","installation":"${installation}","erased":[\n${lines.join(',\n')}\n]}\n`;
}

export function foreign(file: string): Failure {
  return new Failure('setup', `${file} is the list of another installation: its ids are those of other people.`);
}
