import type { Queryable } from '../../ground/database/database.ts';
import {
  holdsPersonalData,
  type PersonalColumn,
  type Relation,
  type TableOfData,
} from '../../ground/values/personal.ts';
import { provable } from './provable.ts';

/** Whose data is meant: the ids of records and of accounts. */
export interface ErasedPeople {
  workspaceId: number;
  records: readonly number[];
  accounts: readonly number[];
}

/** Every parameter has its type, also in a statement that does not need it. */
const typed = '$1::bigint is not null and $2::bigint[] is not null and $3::bigint[] is not null';

export function parametersOf({
  workspaceId,
  records,
  accounts,
}: ErasedPeople): [number, readonly number[], readonly number[]] {
  return [workspaceId, records, accounts];
}

/** Holds for rows `t` of these people, in the workspace $1. */
export function ofPeople(
  { rows = {} }: TableOfData,
  relations: readonly Relation[] = Object.keys(rows) as Relation[],
): string {
  const conditions = relations.flatMap((relation) => rows[relation] ?? []);
  return `t.workspace_id = $1 and ${typed} and (${conditions.length > 0 ? conditions.join(' or ') : 'false'})`;
}

/** Removes the next rows that go with the people. Returns how many; fewer than `most` after the last batch. */
export async function removeRows(
  tx: Queryable,
  declared: TableOfData,
  people: ErasedPeople,
  most: number,
): Promise<number> {
  const rows = await tx.query(
    `delete from ${declared.table}
      where workspace_id = $1
        and ctid = any(array(select t.ctid from ${declared.table} t where ${ofPeople(declared, declared.goes)} limit $4))
     returning 1`,
    [...parametersOf(people), most],
  );
  return rows.length;
}

/** Gives the personal columns of the next rows their neutral values. Rows that have them are passed over. */
export async function neutralizeRows(
  tx: Queryable,
  declared: TableOfData,
  people: ErasedPeople,
  most: number,
): Promise<number> {
  const columns = Object.entries(declared.columns).flatMap(([name, column]) =>
    holdsPersonalData(column) && column.becomes !== undefined ? [[name, column, column.becomes] as const] : [],
  );
  const changes = columns.map(([name, column, becomes]) => ({
    name,
    condition: `(${ofPeople(declared, relationsOf(column))})`,
    becomes,
  }));
  const [first] = declared.key?.[0] ?? ['1'];
  const rows = await tx.query<{ key: string }>(
    `update ${declared.table} t
        set ${changes.map(({ name, condition, becomes }) => `${name} = case when ${condition} then ${becomes} else t.${name} end`).join(', ')}
      where t.workspace_id = $1
        and t.ctid = any(array(
              select t.ctid
                from ${declared.table} t
               where ${ofPeople(declared)}
                 and (${changes.map(({ name, condition, becomes }) => `${condition} and t.${name} is distinct from ${becomes}`).join(' or ')})
               limit $4))
     returning ${first}::text as key`,
    [...parametersOf(people), most],
  );
  if (rows.length > 0)
    await provable[declared.table]?.(
      tx,
      people.workspaceId,
      rows.map(({ key }) => key),
    );
  return rows.length;
}

function relationsOf({ of }: PersonalColumn): Relation[] {
  return of.filter((one): one is Relation => one !== 'named');
}

export function canNeutralize({ columns, rows }: TableOfData): boolean {
  return (
    rows !== undefined && Object.values(columns).some((one) => holdsPersonalData(one) && one.becomes !== undefined)
  );
}
