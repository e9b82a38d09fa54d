import { accountsActingAs } from '../../company/access/erase-accounts.ts';
import { auditMember } from '../../company/directory/audit.ts';
import { checkPerson } from '../../company/directory/change.ts';
import { recordsOf } from '../../company/directory/who.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { byteOrderMark, csvText } from '../../ground/values/csv.ts';
import { dataFiles } from './data-files.ts';
import { type DataPart, dataPage, type Row } from './data-page.ts';
import { zip } from './zip.ts';

/** A file with everything about a person: a page to read, and the same as JSON and CSV. */
export interface PersonalFile {
  name: string;
  zip: Buffer;
}

/** Everything about a person, for a caller: the audit log says who read it. */
export async function handOutData(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  memberId: number,
): Promise<PersonalFile> {
  const data = await collectData(tx, workspaceId, memberId);
  await auditMember(tx, actor, workspaceId, 'member.data_read', memberId);
  return data;
}

/** Collects the data of a person and of all records that were merged into theirs. */
async function collectData(on: Queryable, workspaceId: number, memberId: number): Promise<PersonalFile> {
  await checkPerson(on, workspaceId, memberId);
  const records = (await on.query<{ id: number }>(recordsOf('$1', '$2'), [workspaceId, memberId])).map(({ id }) => id);
  const accounts = await accountsActingAs(on, workspaceId, records);
  const { company, day, timeZone } = await queryOne<{ company: string; day: string; timeZone: string }>(
    on,
    `select coalesce(brand_name, name) as company, (now() at time zone time_zone)::date::text as day, time_zone as "timeZone" from workspaces where id = $1`,
    [workspaceId],
  );
  const contents: DataPart[] = [];
  for (const file of dataFiles)
    contents.push({ file, rows: await on.query<Row>(file.sql, [workspaceId, records, accounts]) });
  const data = Object.fromEntries(contents.map(({ file, rows }) => [file.name, rows]));
  return {
    name: `data-${memberId}-${day}.zip`,
    zip: zip([
      { name: 'index.html', content: dataPage(company, day, timeZone, contents) },
      { name: 'data.json', content: `${JSON.stringify({ company, day, ...data }, null, 2)}\n` },
      ...contents
        .filter(({ rows }) => rows.length > 0)
        .map(({ file, rows }) => ({ name: `${file.name}.csv`, content: csvOf(rows) })),
    ]),
  };
}

function columnsOf(rows: readonly Row[]): string[] {
  return Object.keys(rows[0] ?? {});
}

function csvOf(rows: readonly Row[]): string {
  const columns = columnsOf(rows);
  // Spreadsheets know UTF-8 by the mark at the beginning.
  return `${byteOrderMark}${csvText([columns, ...rows.map((row) => columns.map((name) => textOf(row[name])))])}`;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
