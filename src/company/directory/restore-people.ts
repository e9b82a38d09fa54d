import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { RecordedChange } from '../undo/undo.ts';
import { noteChanged } from './events.ts';
import { countKept, keptColumns, keptHash, moments } from './kept-people.ts';
import { findLoops, type WantedManager } from './manager-loops.ts';
import { announceRolesOf, checkLeaving } from './owners.ts';
import { isHere } from './who.ts';
import { type ChangedRow, changingMembers, leaveMergedSql, removingMembers } from './write.ts';

/** A condition on `members m` that shows that a person is in use. `$3` is the moment of the change. */
export type InUse = string;

interface RemovedPerson {
  id: number;
  hadLeft: boolean;
}

/**
 * Restores the people who are kept, and removes those who were added, whom it returns. Fails if one of them was changed or erased since, or is in
 * use: then nothing is restored. What has come to refer to a person who was added, or has their address, breaks a key of the database. The caller
 * holds the workspace's lock.
 */
export async function restorePeople(
  tx: Queryable,
  { workspaceId, id, people, at }: Pick<RecordedChange<unknown>, 'workspaceId' | 'id' | 'people' | 'at'>,
  inUse: readonly InUse[] = [],
): Promise<RemovedPerson[]> {
  const values = [workspaceId, id];
  if ((await countKept(tx, workspaceId, id)) < people)
    throw new Failure('conflict', 'This cannot be undone: a person whom it has changed was erased since.');
  const changed = await tx.query<{ id: number }>(changedSql, values);
  if (changed.length > 0) throw new Failure('conflict', `This cannot be undone: ${named(changed)} changed since.`);
  const used = inUse.length === 0 ? [] : await tx.query<{ id: number }>(usedSql(inUse), [...values, at]);
  if (used.length > 0)
    throw new Failure(
      'conflict',
      `This cannot be undone: ${named(used)} added by it, and received, gave or sent something since.`,
    );
  await restoreFields(tx, workspaceId, values);
  for (const sql of restoreOthers) await tx.query(sql, values);
  for (const sql of removeOthers) await tx.query(sql, values);
  const removed = await tx.query<RemovedPerson>(removeSql, values);
  await tx.query('delete from undo_members where workspace_id = $1 and undo_id = $2', values);
  return removed;
}

/** The first ids. */
function named(people: readonly { id: number }[]): string {
  const ids = people.slice(0, mostNamed).map(({ id }) => id);
  const others = people.length > mostNamed ? ' and others' : '';
  return people.length === 1 ? `member ${ids[0]} was` : `the members ${ids.join(', ')}${others} were`;
}

const mostNamed = 3;

async function restoreFields(tx: Queryable, workspaceId: number, values: readonly unknown[]): Promise<void> {
  const moving = await tx.query<Moving>(movingSql, values);
  await checkLeaving(
    tx,
    workspaceId,
    moving.filter(({ leaves }) => leaves).map(({ id }) => id),
  );
  await refuseLoops(
    tx,
    workspaceId,
    moving.filter(({ isMoved }) => isMoved),
  );
  await tx.query(freeSql, values);
  const rows = await tx.query<ChangedRow>(restoreSql, values);
  noteChanged(tx, workspaceId, rows);
  const ids = rows.map(({ id }) => id);
  await tx.query(leaveMergedSql, [workspaceId, ids]);
  await announceRolesOf(tx, workspaceId, rows);
}

/** Fails if one of these people would report to themselves. */
export async function refuseLoops(tx: Queryable, workspaceId: number, wanted: readonly WantedManager[]): Promise<void> {
  if ((await findLoops(tx, workspaceId, wanted)).size > 0)
    throw new Failure(
      'conflict',
      'This cannot be undone: managers were changed since, and people would report to themselves.',
    );
}

interface Moving {
  id: number;
  managerId: number | null;
  /** To another manager, or to none. */
  isMoved: boolean;
  leaves: boolean;
}

const changedSql = `
  select u.member_id as id
    from undo_members u
    left join members m on m.workspace_id = $1 and m.id = u.member_id
   where u.workspace_id = $1
     and u.undo_id = $2
     and u.after is distinct from ${keptHash('m')}
   order by u.member_id
   limit ${mostNamed + 1}`;

const usedSql = (inUse: readonly InUse[]) => `
  select m.id
    from undo_members u
    join members m on m.workspace_id = $1 and m.id = u.member_id
   where u.workspace_id = $1
     and u.undo_id = $2
     and u.before is null
     and (${inUse.join(' or ')})
   order by m.id
   limit ${mostNamed + 1}`;

/** The people `m` whose fields are not as they were. */
const restored = `
  undo_members u
  join members before on before.workspace_id = $1 and before.id = u.member_id
 cross join lateral jsonb_populate_record(null::members, u.before -> 'row') kept`;
const isRestored = `
     u.workspace_id = $1
     and u.undo_id = $2
     and u.before is not null
     and u.after <> md5(concat(u.before::text, ' ', u.manager_reference))`;

const movingSql = `
  select u.member_id as id, kept.manager_id as "managerId", kept.manager_id is distinct from before.manager_id as "isMoved",
         ${isHere('before')} and not (${isHere('kept')}) as leaves
    from ${restored}
   where ${isRestored}`;

// Two people may have exchanged an address or a number, and a person who was added may have got one.
const unique = ['email', 'employee_number', 'user_name'];
const uniqueOf = (alias: string) => unique.map((column) => `${alias}.${column}`).join(', ');

const freeSql = changingMembers(`
  update members m
     set ${unique.map((column) => `${column} = null`).join(', ')}
    from ${restored}
   where (u.before is null and u.workspace_id = $1 and u.undo_id = $2 or ${isRestored})
     and m.workspace_id = $1
     and m.id = u.member_id
     and (${uniqueOf('before')}) is distinct from (${uniqueOf('kept')})`);

const restoreSql = changingMembers(`
  update members m
     set ${[...keptColumns, ...moments].map((column) => `${column} = kept.${column}`).join(', ')},
         manager_reference = u.manager_reference,
         changed_at = now()
    from ${restored}
   where ${isRestored}
     and m.workspace_id = $1
     and m.id = u.member_id`);

const ofUndo = (isAdded: boolean) => `
  select u.member_id from undo_members u where u.workspace_id = $1 and u.undo_id = $2 and (u.before is null) = ${isAdded}`;

/** Rows of other tables that a person had. */
const kept = (part: string) => `
    from undo_members u
   cross join lateral jsonb_to_recordset(u.before -> '${part}') as kept`;

const satellites = ['team_members', 'member_emails', 'former_addresses'];
const removed = (table: string, isAdded: boolean) =>
  `delete from ${table} where workspace_id = $1 and member_id in (${ofUndo(isAdded)})`;

const restoreOthers = [
  ...satellites.map((table) => removed(table, false)),
  `insert into team_members (workspace_id, team_id, member_id, joined)
   overriding system value
   select $1, kept.team_id, u.member_id, kept.joined
   ${kept('teams')} (team_id bigint, joined bigint)
   where u.workspace_id = $1 and u.undo_id = $2`,
  `insert into member_emails (workspace_id, member_id, nth, value, type, is_primary)
   select $1, u.member_id, kept.nth, kept.value, kept.type, kept.is_primary
   ${kept('emails')} (nth smallint, value text, type text, is_primary boolean)
   where u.workspace_id = $1 and u.undo_id = $2`,
  `insert into former_addresses (workspace_id, email_key, member_id)
   select distinct on (kept.email_key) $1::bigint, kept.email_key, kept.member_id
   ${kept('former')} (email_key text, member_id bigint)
   where u.workspace_id = $1 and u.undo_id = $2
   order by kept.email_key
   on conflict (workspace_id, email_key) do update set member_id = excluded.member_id`,
];

const removeOthers = satellites.map((table) => removed(table, true));

const removeSql = removingMembers(`m.workspace_id = $1 and m.id in (${ofUndo(true)})`);
