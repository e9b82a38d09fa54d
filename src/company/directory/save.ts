import { copyInto } from '../../ground/database/copy.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { takeIds } from '../../ground/database/ids.ts';
import type { CustomValues } from '../../ground/values/custom-field.ts';
import { memberFieldNames, memberFields } from '../../ground/values/member.ts';
import { momentOf } from '../workspaces/lock.ts';
import { columnsOf, setFields } from './columns.ts';
import { valuesOf } from './custom-fields.ts';
import { noteAdded, noteChanged } from './events.ts';
import { keepFormerAddresses } from './former-addresses.ts';
import { keepNewPeople, keepPeople } from './kept-people.ts';
import { checkLoops, checkLoopsAmong } from './manager-loops.ts';
import { settleManagers } from './managers.ts';
import { type MemberFields, storedForm } from './member-fields.ts';
import { announceRolesOf, checkLeaving } from './owners.ts';
import {
  type AddedRow,
  addingMembers,
  afterCopying,
  type ChangedRow,
  changingMembers,
  leaveMergedSql,
} from './write.ts';

/** A person to add, now or `addedAt`, in a team or in the default team. */
export type AddedMember = MemberFields & { teamId?: number; addedAt?: Date };

/** From this many people on, copying them is faster. It takes one statement more. */
const fewestCopied = 100;

/** Adds people and returns their ids, in the same order: new ones, or those that were taken before. The caller holds the workspace's lock. */
export async function addMembers(
  tx: Queryable,
  workspaceId: number,
  people: readonly AddedMember[],
  taken?: number[],
): Promise<number[]> {
  const ids = taken ?? (await takeMemberIds(tx, people.length));
  checkLoopsAmong(people.flatMap(({ managerId }, nth) => (managerId ? [{ id: ids[nth] as number, managerId }] : [])));
  const rows = people.map(({ teamId, addedAt, ...fields }, nth) => ({
    ...rowOf(fields, ids[nth] as number, momentOf(tx, workspaceId)),
    custom: fields.custom && valuesOf(fields.custom),
    team_id: teamId,
    created_at: addedAt?.toISOString(),
  }));
  const add = people.length < fewestCopied ? insertRows : copyMembers;
  const added = await add(tx, workspaceId, rows);
  noteAdded(tx, workspaceId, added);
  keepNewPeople(tx, workspaceId, ids);
  await settleManagers(tx, workspaceId, ids);
  return ids;
}

function insertRows(tx: Queryable, workspaceId: number, rows: readonly MemberRow[]): Promise<AddedRow[]> {
  return tx.query<AddedRow>(addSql, [workspaceId, JSON.stringify(rows)]);
}

async function copyMembers(tx: Queryable, workspaceId: number, rows: readonly MemberRow[]): Promise<AddedRow[]> {
  const { team, now } = await queryOne<{ team: number; now: string }>(tx, defaultsSql, [workspaceId]);
  const defaults: MemberRow = { ...emptyNames, team_id: team, created_at: now };
  const cells = rows.map(({ custom, ...row }) => {
    const texts: MemberRow = { ...row, custom: custom && JSON.stringify(custom) };
    return [workspaceId, ...addedColumns.map((name) => (texts[name] ?? defaults[name]) as Cell)];
  });
  await copyInto(tx, 'members', ['workspace_id', ...addedColumns], cells);
  return tx.query<AddedRow>(afterCopyingSql, [workspaceId, rows.map(({ id }) => id)]);
}

/** For people who name each other, and are to be added together. */
export function takeMemberIds(tx: Queryable, count: number): Promise<number[]> {
  return takeIds(tx, 'members', count);
}

export type MemberUpdate = MemberFields & { id: number };

/**
 * Updates people and returns the ids of those who have changed. Throws if the last owner would leave, or a manager would close a loop. The
 * caller holds the workspace's lock.
 */
export async function updateMembers(
  tx: Queryable,
  workspaceId: number,
  changes: readonly MemberUpdate[],
): Promise<number[]> {
  const leaving = changes.filter(({ active }) => active === false).map(({ id }) => id);
  await checkLeaving(tx, workspaceId, leaving);
  const managed = changes.flatMap(({ id, managerId }) => (managerId ? [{ id, managerId }] : []));
  if (managed.length > 0) await checkLoops(tx, workspaceId, managed);
  await keepPeople(
    tx,
    workspaceId,
    changes.map(({ id }) => id),
  );
  const sent = JSON.stringify(
    changes.map(({ id, ...fields }) => ({
      ...rowOf(fields, id, momentOf(tx, workspaceId)),
      // Not the column: the values are merged with those that the person has.
      custom_change: fields.custom,
    })),
  );
  const areKnownOtherwise = changes.some((one) => 'email' in one || 'userName' in one || 'employeeNumber' in one);
  if (areKnownOtherwise) await keepFormerAddresses(tx, workspaceId, sent);
  const rows = await tx.query<ChangedRow>(updateSql, [workspaceId, sent]);
  noteChanged(tx, workspaceId, rows);
  const ids = rows.map(({ id }) => id);
  if (areKnownOtherwise) await settleManagers(tx, workspaceId, ids);
  if (changes.some(({ active }) => active !== undefined)) await tx.query(leaveMergedSql, [workspaceId, ids]);
  // The name of a sender is part of what they are granted.
  const isRenamed = changes.some((one) => 'preferredName' in one || 'lastName' in one);
  const moved = isRenamed ? rows : rows.filter(({ hadLeft, hasLeft }) => hadLeft !== hasLeft);
  if (moved.length > 0) await announceRolesOf(tx, workspaceId, moved);
  return ids;
}

/** A row of members by the names of its columns. */
type Cell = string | number | null | undefined;
type MemberRow = Partial<Record<string, Cell | CustomValues>>;

const savedFields = memberFieldNames.map((name) => {
  const { column, kind } = memberFields[name];
  return { name, column, empty: kind === 'name' ? '' : null };
});

/** Unknown names are empty texts; other unknown fields are null. */
function rowOf(given: MemberFields, id: number, moment: string): MemberRow {
  const fields = storedForm(given);
  const { active, leftOn } = fields;
  const row: MemberRow = { id };
  for (const { name, column, empty } of savedFields) {
    const value = fields[name];
    if (value !== undefined) row[column] = value ?? empty;
  }
  // A known manager replaces the text that names one who is not known yet.
  if ('managerId' in fields && !('managerReference' in fields)) row.manager_reference = null;
  if (active !== undefined) {
    row.left_at = active ? null : moment;
    row.left_on = active ? null : (leftOn ?? null);
    // They have no last day any more: it has come.
    if (!active) row.leaves_on = null;
  }
  return row;
}

const emptyNames = Object.fromEntries(savedFields.flatMap(({ column, empty }) => (empty === '' ? [[column, '']] : [])));
const addedColumns = [
  'id',
  'team_id',
  ...savedFields.map(({ column }) => column),
  'custom',
  'left_at',
  'left_on',
  'created_at',
];

const addSql = addingMembers(`
  insert into members as m (workspace_id, ${addedColumns.join(', ')})
  select w.id, n.id, coalesce(n.team_id, w.default_team_id),
         ${savedFields.map(({ column, empty }) => (empty === '' ? `coalesce(n.${column}, '')` : `n.${column}`)).join(', ')},
         n.custom, n.left_at, n.left_on, coalesce(n.created_at, now())
    from jsonb_populate_recordset(null::members, $2::jsonb) n
    join workspaces w on w.id = $1::bigint`);

const afterCopyingSql = afterCopying('m.workspace_id = $1::bigint and m.id = any($2::bigint[])');

const defaultsSql = 'select default_team_id as team, now()::text as now from workspaces where id = $1';

// A key that is not in the JSON keeps the member's value. Leavers keep the day on which they left. People who return become
// SCIM resources again only when SCIM creates them. Each record is found by key and updated at that place (ctid), because
// the planner's statistics are stale while an import makes the table grow.
const updateSql = changingMembers(
  `
  update members m
     set ${setFields((_, column) => `n.${column}`)},
         custom  = n.custom_after,
         left_at = case when n.left_at is not null then coalesce(m.left_at, n.left_at) end,
         left_on = case when m.left_at is not null and n.left_at is not null then m.left_on else n.left_on end,
         changed_at = now()
    from (select o.ctid as place, o.o as before, n.*,
                 nullif(jsonb_strip_nulls(coalesce(n.custom, '{}') || coalesce(change -> 'custom_change', '{}')), '{}') as custom_after
            from jsonb_array_elements($2::jsonb) as change
           cross join lateral (select o.ctid, o
                                 from members o
                                where o.workspace_id = $1::bigint
                                  and o.id = (change ->> 'id')::bigint
                                limit 1) o
           cross join lateral jsonb_populate_record(o.o, change) n) n
   where m.workspace_id = $1::bigint
     and m.ctid = n.place
     and (${columnsOf('m').join(', ')}, m.custom, m.left_at is null)
         is distinct from
         (${columnsOf('n').join(', ')}, n.custom_after, n.left_at is null)`,
  '(n.before)',
);
