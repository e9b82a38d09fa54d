import { inEachWorkspace } from '../../../company/workspaces/each.ts';
import { inWorkspace, readVersion } from '../../../company/workspaces/lock.ts';
import { type Database, type Queryable, queryOne } from '../../../ground/database/database.ts';
import { readWaiting } from '../../approvals/read.ts';
import { queueFor, wantedMails } from './queue.ts';

/**
 * Emails people who have become approvers of orders that wait: a deputy whose days have begun, or owners after the last approver has left.
 * `seen` has what each workspace was like when its orders were last read: they are read again only after a change.
 */
export async function emailNewApprovers(database: Database, seen: Map<number, string>): Promise<void> {
  const waiting = await database.query<{ workspaceId: number }>(
    `select distinct workspace_id as "workspaceId" from order_approvals where state = 'WAITING' and is_announced`,
  );
  await inEachWorkspace(waiting, async ({ workspaceId }) => {
    // Read first, so that a change in between is read the next time.
    const version = await readApproversVersion(database, workspaceId);
    if (seen.get(workspaceId) === version) return;
    for await (const rows of readWaiting(database, workspaceId)) {
      const wanted = await wantedMails(database, workspaceId, rows);
      if (wanted.length === 0) continue;
      const requestIds = [...new Set(wanted.map(({ requestId }) => requestId))];
      await inWorkspace(database, workspaceId, (tx, moment) => queueFor(tx, { workspaceId, moment, requestIds }));
    }
    seen.set(workspaceId, version);
  });
}

/** What who is asked depends on. Accounts change without the workspace's lock. Every 5 minutes it is another text in any case. */
async function readApproversVersion(on: Queryable, workspaceId: number): Promise<string> {
  const { accounts } = await queryOne<{ accounts: string }>(on, accountsSql, [workspaceId]);
  return `${await readVersion(on, workspaceId)} ${accounts}`;
}

const accountsSql = `
  select concat_ws(' ',
           (select md5(string_agg(concat_ws(' ', r.user_id, r.role, r.member_id, u.email), ',' order by r.user_id, r.role))
              from user_roles r
              join users u on u.id = r.user_id
             where r.workspace_id = $1),
           (select md5(string_agg(d::text, ',' order by d.member_id)) from deputies d where d.workspace_id = $1),
           floor(extract(epoch from now()) / 300)) as accounts`;
