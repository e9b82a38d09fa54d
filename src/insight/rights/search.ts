import { setImmediate as nextTurn } from 'node:timers/promises';
import { erasedHash } from '../../company/workspaces/erased-bodies.ts';
import { lockWorkspace } from '../../company/workspaces/lock.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { holdsPersonalData, type PersonalColumn, type TableOfData } from '../../ground/values/personal.ts';
import { provable } from './provable.ts';
import { scrubber, type Traces } from './scrub.ts';

interface Row {
  key: string[];
  values: Record<string, unknown>;
}

/** A batch reads so much that it takes some tens of milliseconds, and changes so few rows that it holds the workspace's lock for a few. */
const most = { rows: 1_000, bytes: 256 * 1024, changed: 100 };

/** Whether texts of this table are searched for the names of erased people. */
export function isSearched(declared: TableOfData): boolean {
  return searchedColumns(declared).length > 0;
}

type Mode = NonNullable<PersonalColumn['search']>;

function searchedColumns({ columns }: TableOfData): { name: string; mode: Mode }[] {
  return Object.entries(columns).flatMap(([name, column]) =>
    holdsPersonalData(column) && column.search ? [{ name, mode: column.search }] : [],
  );
}

/**
 * Looks through the next rows of a table, and replaces in their texts what identifies the people. It takes the workspace's lock only if there is
 * something to change. Returns the key after which the next batch begins; null: all rows were looked through.
 */
export async function searchRows(
  tx: Queryable,
  declared: TableOfData,
  workspaceId: number,
  traces: Traces,
  after: string | null,
): Promise<string | null> {
  const scrub = scrubbers(traces);
  const seen = await tx.query<Row>(nextSql(declared, after !== null), [
    workspaceId,
    most.rows,
    most.bytes,
    ...(after === null ? [] : [after]),
  ]);
  const keys: string[][] = [];
  let last: string[] | null = null;
  for (const row of seen) {
    last = row.key;
    if (scrubbed(declared, row, scrub)) keys.push(row.key);
    if (keys.length === most.changed) break;
    // Requests that this process serves have their turn.
    await nextTurn();
  }
  if (keys.length > 0) {
    await lockWorkspace(tx, workspaceId);
    await replaceIn(tx, declared, workspaceId, scrub, keys);
  }
  return last && JSON.stringify(last);
}

type Scrub = Record<Mode, (value: unknown) => unknown>;

function scrubbers(traces: Traces): Scrub {
  const replace = scrubber(traces);
  return { replace, remove: replace, replaceFull: scrubber({ ...traces, values: [] }) };
}

/** The columns of a row without what identifies people; null: there is nothing of them. */
function scrubbed(declared: TableOfData, { values }: Row, scrub: Scrub): Record<string, unknown> | null {
  const after = searchedColumns(declared).map(({ name, mode }) => {
    const text = scrub[mode](values[name]);
    return [name, mode === 'remove' && text !== values[name] ? null : text] as const;
  });
  return after.every(([name, value]) => value === values[name]) ? null : Object.fromEntries(after);
}

async function replaceIn(
  tx: Queryable,
  declared: TableOfData,
  workspaceId: number,
  scrub: Scrub,
  keys: readonly string[][],
): Promise<void> {
  const rows = await tx.query<Row>(lockedSql(declared), [workspaceId, JSON.stringify(keys)]);
  const changed = rows.flatMap((row) => {
    const values = scrubbed(declared, row, scrub);
    return values ? [{ key: row.key, values }] : [];
  });
  if (changed.length === 0) return;
  await tx.query(writeSql(declared), [workspaceId, JSON.stringify(changed)]);
  await provable[declared.table]?.(
    tx,
    workspaceId,
    changed.map(({ key }) => key[0] as string),
  );
}

const keyOf = ({ key = [] }: TableOfData) => key.map(([column]) => `t.${column}`).join(', ');
const keyFrom = ({ key = [] }: TableOfData, json: string) =>
  key.map(([, type], nth) => `(${json} ->> ${nth})::${type}`).join(', ');
const valuesOf = (declared: TableOfData) =>
  `jsonb_build_object(${searchedColumns(declared)
    .map(({ name }) => `'${name}', t.${name}`)
    .join(', ')})`;
/** The key of a row as texts. */
const keyTexts = ({ key = [] }: TableOfData) =>
  `jsonb_build_array(${key.map(([column]) => `t.${column}::text`).join(', ')})`;

/** The texts are read only of the rows that are returned: a window function over all of them sees what they take, not what they say. */
function nextSql(declared: TableOfData, continues: boolean): string {
  const columns = searchedColumns(declared).map(({ name }) => name);
  const keys = (declared.key ?? []).map(([column]) => column);
  const size = columns.map((name) => `coalesce(pg_column_size(t.${name}), 0)`).join(' + ');
  return `
  select ${keyTexts(declared)} as key, ${valuesOf(declared)} as values
    from (
      select ${[...new Set([...keys, ...columns])].map((name) => `t.${name}`).join(', ')}, sum(${size}) over (order by ${keyOf(declared)}) - (${size}) as bytes_before
        from (
          select *
            from ${declared.table} t
           where t.workspace_id = $1
             ${continues ? `and (${keyOf(declared)}) > (${keyFrom(declared, '$4::jsonb')})` : ''}
           order by ${keyOf(declared)}
           limit $2::int
        ) t
    ) t
   where t.bytes_before < $3::int
   order by ${keyOf(declared)}`;
}

function lockedSql(declared: TableOfData): string {
  return `
  select ${keyTexts(declared)} as key, ${valuesOf(declared)} as values
    from jsonb_array_elements($2::jsonb) as asked (key)
    join ${declared.table} t on t.workspace_id = $1 and (${keyOf(declared)}) = (${keyFrom(declared, 'asked.key')})
     for update of t`;
}

function writeSql(declared: TableOfData): string {
  const columns = searchedColumns(declared).map(({ name }) => name);
  const after = (name: string) => {
    const column = declared.columns[name];
    const isHashed = column?.isPersonal && column.isHashed;
    return isHashed ? `n.${name} || jsonb_build_object('erased', ${erasedHash(`t.${name}`)})` : `n.${name}`;
  };
  return `
  update ${declared.table} t
     set ${columns.map((name) => `${name} = ${after(name)}`).join(', ')}
    from jsonb_array_elements($2::jsonb) as change (row)
   cross join lateral jsonb_populate_record(null::${declared.table}, change.row -> 'values') n
   where t.workspace_id = $1
     and (${keyOf(declared)}) = (${keyFrom(declared, "(change.row -> 'key')")})`;
}
