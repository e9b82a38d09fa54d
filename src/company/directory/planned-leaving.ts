import type { Database, Queryable } from '../../ground/database/database.ts';
import { theService } from '../workspaces/audit.ts';
import { dayIn, readToday, zoneOf } from '../workspaces/days.ts';
import { inEachWorkspace } from '../workspaces/each.ts';
import { inWorkspace, timeOf } from '../workspaces/lock.ts';
import { auditMembers } from './audit.ts';
import { findLeavingOwners } from './owners.ts';
import { updateMembers } from './save.ts';
import { isHere, isPerson } from './who.ts';

/*
 * A person whose last day is known (`leaves_on`) is here on that day, and has left as soon as the day has ended where the workspace is.
 */

/** The number of people of a workspace who leave in one transaction. */
const batchSize = 500;

/**
 * Marks people as left whose last day has ended, in every workspace. Under the workspace's lock, so that each leaves once by any number of
 * nodes; those whose day ended while no node ran leave too. The last owner of a workspace stays. Returns how many there were.
 */
export async function applyPlannedLeaving(database: Database): Promise<number> {
  let left = 0;
  await inEachWorkspace(await readDueWorkspaces(database), async ({ workspaceId }) => {
    // A lock counts as a change of the workspace. An owner who has to stay is due for long, and takes no lock.
    while ((await findDue(database, workspaceId)).leaving.length > 0)
      left += await inWorkspace(database, workspaceId, (tx) => leaveSome(tx, workspaceId));
  });
  return left;
}

async function leaveSome(tx: Queryable, workspaceId: number): Promise<number> {
  const { leaving } = await findDue(tx, workspaceId);
  const changes = leaving.map(({ id, lastDay }) => ({ id, active: false, leftOn: lastDay }));
  const left = await updateMembers(tx, workspaceId, changes);
  await auditMembers(tx, theService, workspaceId, 'member.left', left);
  return left.length;
}

interface Due {
  id: number;
  lastDay: string;
}

/** The people who are to leave now, and the one of them who has to stay, because the workspace has no other owner. */
async function findDue(on: Queryable, workspaceId: number): Promise<{ leaving: Due[]; staying: Due | null }> {
  const due = await on.query<Due>(dueSql, [workspaceId, await readToday(on, workspaceId), batchSize]);
  const ids = due.map(({ id }) => id);
  const { staying } = await findLeavingOwners(on, workspaceId, ids);
  return {
    leaving: due.filter(({ id }) => id !== staying),
    staying: due.find(({ id }) => id === staying) ?? null,
  };
}

/** The owners whose last day has ended, and who stay because their workspace has no other owner. */
export async function readStayingOwners(on: Queryable): Promise<(Due & { workspaceId: number })[]> {
  const found: (Due & { workspaceId: number })[] = [];
  for (const { workspaceId } of await readDueWorkspaces(on)) {
    const { staying } = await findDue(on, workspaceId);
    if (staying) found.push({ workspaceId, ...staying });
  }
  return found;
}

const isPlanned = (alias: string) => `${alias}.leaves_on is not null and ${isHere(alias)} and ${isPerson(alias)}`;

function readDueWorkspaces(on: Queryable): Promise<{ workspaceId: number }[]> {
  return on.query(`
    select a.workspace_id as "workspaceId"
      from activity_counters a
     where exists (select from members m
                    where m.workspace_id = a.workspace_id
                      and ${isPlanned('m')}
                      and m.leaves_on < ${dayIn(timeOf('a'), zoneOf('a.workspace_id'))})`);
}

const dueSql = `
  select m.id, m.leaves_on::text as "lastDay"
    from members m
   where m.workspace_id = $1
     and ${isPlanned('m')}
     and m.leaves_on < $2::date
   order by m.leaves_on, m.id
   limit $3`;
