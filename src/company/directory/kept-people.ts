import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { memberFieldNames, memberFields } from '../../ground/values/member.ts';
import { noteForUndo } from '../undo/undo.ts';
import { addressKey } from './who.ts';

/*
 * Keeps people as they are before a change that can be undone; restore-people.ts restores them. What is kept of a person: the fields, the teams, the further email
 * addresses, and the former addresses that identify them or are their current one. Recognition is not kept: it stays as it is.
 */

/** The columns of moments. */
export const moments = ['left_at', 'deprovisioned_at', 'erased_at', 'created_at'];
/** The same text in every time zone. */
const momentText = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The other columns that are kept, without `manager_reference`, which is kept beside them. */
export const keptColumns = [
  ...memberFieldNames.filter((name) => name !== 'managerReference').map((name) => memberFields[name].column),
  'custom',
  'team_id',
  'left_on',
  'merged_into',
];

/** A person of the workspace $1 as they are kept, as JSON. */
const keptOf = (alias: string) => `
  jsonb_build_object(
    'row', jsonb_strip_nulls(jsonb_build_object(
      ${keptColumns.map((column) => `'${column}', ${alias}.${column}`).join(', ')},
      ${moments.map((column) => `'${column}', ${momentText(`${alias}.${column}`)}`).join(', ')})),
    'teams', (select coalesce(jsonb_agg(jsonb_build_object('team_id', t.team_id, 'joined', t.joined) order by t.joined), '[]')
                from team_members t
               where t.workspace_id = $1::bigint and t.member_id = ${alias}.id),
    'emails', (select coalesce(jsonb_agg(jsonb_build_object('nth', e.nth, 'value', e.value, 'type', e.type, 'is_primary', e.is_primary)
                                         order by e.nth), '[]')
                 from member_emails e
                where e.workspace_id = $1::bigint and e.member_id = ${alias}.id),
    'former', (select coalesce(jsonb_agg(jsonb_build_object('email_key', f.email_key, 'member_id', f.member_id) order by f.email_key), '[]')
                 from former_addresses f
                where f.workspace_id = $1::bigint
                  and (f.member_id = ${alias}.id or f.email_key in (${alias}.email_key, ${addressKey(`${alias}.user_name`)}))))`;

/** Says whether a person was changed since. */
export const keptHash = (alias: string) => `md5(concat(${keptOf(alias)}::text, ' ', ${alias}.manager_reference))`;

/** What a transaction keeps for an undo. */
interface Keeper {
  undoId: string;
  /** The people who are kept, or whom the transaction has added. */
  people: Set<number>;
  teams: number[];
}
const keepers = new WeakMap<Queryable, Map<number, Keeper>>();

/** From now on the transaction keeps the people whom it changes, for this undo. */
export function beginKeeping(tx: Queryable, workspaceId: number, undoId: string): void {
  keepers.set(tx, new Map(keepers.get(tx)).set(workspaceId, { undoId, people: new Set(), teams: [] }));
}

/** Every function of this module that changes fields of people calls it before. It does nothing unless the transaction keeps people. */
export async function keepPeople(tx: Queryable, workspaceId: number, ids: readonly number[]): Promise<void> {
  const keeper = keepers.get(tx)?.get(workspaceId);
  const asked = keeper ? ids.filter((id) => !keeper.people.has(id)) : [];
  if (!keeper || asked.length === 0) return;
  for (const id of asked) keeper.people.add(id);
  await tx.query(keepSql, [workspaceId, keeper.undoId, asked]);
}

/** The same for people who were added. */
export function keepNewPeople(tx: Queryable, workspaceId: number, ids: readonly number[]): void {
  const people = keepers.get(tx)?.get(workspaceId)?.people;
  for (const id of ids) people?.add(id);
}

/** The same for teams that were added. */
export function keepNewTeams(tx: Queryable, workspaceId: number, ids: readonly number[]): void {
  keepers
    .get(tx)
    ?.get(workspaceId)
    ?.teams.push(...ids);
}

/** Keeps what the transaction has made of these people, and whom it has added. It keeps no person afterwards. */
export async function endKeeping(
  tx: Queryable,
  workspaceId: number,
  changed: readonly number[],
  added: readonly number[] = [],
): Promise<void> {
  const keeper = keepers.get(tx)?.get(workspaceId);
  if (!keeper) return;
  const { undoId, teams } = keeper;
  keepers.get(tx)?.delete(workspaceId);
  if (added.length > 0) await tx.query(keepAddedSql, [workspaceId, undoId, added]);
  if (changed.length > 0) await markChanged(tx, workspaceId, undoId, changed);
  if (teams.length > 0) await noteForUndo(tx, workspaceId, undoId, { teams });
}

async function markChanged(tx: Queryable, workspaceId: number, undoId: string, ids: readonly number[]): Promise<void> {
  const marked = await tx.query(markSql, [workspaceId, undoId, ids]);
  if (marked.length < ids.length) throw new Error('a person was changed without being kept for an undo before');
}

/** How many people are kept. */
export async function countKept(tx: Queryable, workspaceId: number, undoId: string): Promise<number> {
  const sql = 'select count(*)::int as people from undo_members where workspace_id = $1 and undo_id = $2';
  return (await queryOne<{ people: number }>(tx, sql, [workspaceId, undoId])).people;
}

// Between two batches of an import another change may have come: then nothing restores the person.
const mixed = `''`;

const keepSql = `
  insert into undo_members as u (workspace_id, undo_id, member_id, before, manager_reference, after)
  select m.workspace_id, $2, m.id, ${keptOf('m')}, m.manager_reference, ${keptHash('m')}
    from members m
   where m.workspace_id = $1
     and m.id = any($3::bigint[])
  on conflict (workspace_id, undo_id, member_id)
  do update set after = ${mixed} where u.after <> excluded.after`;

const keepAddedSql = `
  insert into undo_members (workspace_id, undo_id, member_id, after)
  select m.workspace_id, $2, m.id, ${keptHash('m')}
    from members m
   where m.workspace_id = $1
     and m.id = any($3::bigint[])`;

const markSql = `
  update undo_members u
     set after = case when u.after = ${mixed} then u.after else ${keptHash('m')} end
    from members m
   where u.workspace_id = $1
     and u.undo_id = $2
     and u.member_id = any($3::bigint[])
     and m.workspace_id = $1
     and m.id = u.member_id
  returning u.member_id`;
