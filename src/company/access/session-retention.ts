import { type Queryable, queryOne } from '../../ground/database/database.ts';
import type { OwnRetention } from '../workspaces/retention.ts';
import { endedDays } from './sessions.ts';

/** Sessions of this workspace's users and employees that ended before $2. */
const ended = `
    from sessions s
   where (s.expires_at < $2::timestamptz or s.revoked_at < $2::timestamptz)
     and (s.user_id in (select user_id from user_roles where workspace_id = $1)
          or s.id in (select session_id from session_members where workspace_id = $1))`;

const batchRows = 500;

/**
 * Sessions belong to no workspace: those of people who sign in to several go after the fewest days that one of these has set. What is in the audit
 * log stays as long as the audit log.
 */
export const sessionRetention: OwnRetention = {
  kind: 'sign-ins',
  usualDays: endedDays,
  leastDays: 1,
  mostDays: endedDays,
  what: 'sessions of users and employees that have ended: time, browser. The audit log keeps who signed in and when',
  why: 'people see where they were signed in',
  countDue: async (on, workspaceId, before) =>
    (await queryOne<{ rows: number }>(on, `select count(*)::int as rows ${ended}`, [workspaceId, before])).rows,
  async removeDue(tx, workspaceId, before) {
    const removed = await removeEnded(tx, workspaceId, before);
    return { removed, next: null, hasMore: removed === batchRows };
  },
};

async function removeEnded(tx: Queryable, workspaceId: number, before: string): Promise<number> {
  const sql = `delete from sessions where id = any(array(select s.id ${ended} limit ${batchRows})) returning 1`;
  return (await tx.query(sql, [workspaceId, before])).length;
}
