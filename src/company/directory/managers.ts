import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { readId } from '../../ground/values/id.ts';
import { noteFieldChanged } from './events.ts';
import { keepPeople } from './kept-people.ts';
import { findLoops, type WantedManager } from './manager-loops.ts';
import { addressKey, isDeprovisioned, memberByAddress, memberByLogin, memberByNumber, survivorOf } from './who.ts';

/**
 * The manager that SCIM names: by id, login, email address or employee number, in this order. Null if no such member is known
 * yet. The id of a deprovisioned user is not found: it is no resource.
 */
export async function findManager(tx: Queryable, workspaceId: number, reference: string): Promise<number | null> {
  const { id } = await queryOne<{ id: number | null }>(
    tx,
    `select coalesce(
       (select ${survivorOf('m')}
          from members m
         where m.workspace_id = $1 and m.id = $3::bigint and not m.is_integration and not (${isDeprovisioned('m')})),
       ${memberByLogin('$1', '$2')},
       ${memberByAddress('$1', '$2')},
       ${memberByNumber('$1', '$2')}) as id`,
    [workspaceId, reference, readId(reference)],
  );
  return id;
}

/** Sets the managers of members, except those who would close a loop. The caller holds the workspace's lock. */
export async function setManagers(
  tx: Queryable,
  workspaceId: number,
  wanted: readonly (WantedManager & { managerId: number })[],
): Promise<void> {
  const loops = await findLoops(tx, workspaceId, wanted);
  const set = wanted.filter(({ id }) => !loops.has(id));
  const ids = set.map(({ id }) => id);
  await keepPeople(tx, workspaceId, ids);
  const managerIds = set.map(({ managerId }) => managerId);
  noteFieldChanged(tx, workspaceId, await tx.query<{ id: number }>(setSql, [workspaceId, ids, managerIds]));
}

// A known manager replaces the text that names one who is not known yet.
const setSql = `
  update members m
     set manager_id = wanted.manager_id, manager_reference = null, changed_at = now()
    from unnest($2::bigint[], $3::bigint[]) as wanted (id, manager_id)
   where m.workspace_id = $1::bigint
     and m.id = wanted.id
     and (m.manager_id is distinct from wanted.manager_id or m.manager_reference is not null)
  returning m.id`;

/**
 * Sets the manager of people whose manager was not known yet, if it is one of these members. The text stays where the manager would close
 * a loop. Called after members were added or their identifiers changed. The caller holds the workspace's lock.
 */
export async function settleManagers(tx: Queryable, workspaceId: number, memberIds: readonly number[]): Promise<void> {
  const waiting = await queryOne<{ exist: boolean }>(
    tx,
    'select exists (select from members where workspace_id = $1 and manager_reference is not null) as exist',
    [workspaceId],
  );
  if (!waiting.exist) return;
  const arrived = await tx.query<{ id: number; managerId: number }>(arrivedSql, [workspaceId, memberIds]);
  if (arrived.length > 0) await setManagers(tx, workspaceId, arrived);
}

const arrivedSql = `
  select distinct on (m.id) m.id, arrived.id as "managerId"
    from members arrived
    join members m on m.workspace_id = $1
                  and m.manager_reference is not null
                  and (${addressKey('m.manager_reference')} in (arrived.email_key, ${addressKey('arrived.user_name')})
                       or m.manager_reference = arrived.employee_number)
                  and m.id <> arrived.id
   where arrived.workspace_id = $1
     and arrived.id = any($2::bigint[])
   order by m.id, arrived.id`;
