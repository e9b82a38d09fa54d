import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { recordsOf, survivorOf } from '../../company/directory/who.ts';
import { timeOf } from '../../company/workspaces/lock.ts';
import type { ThanksList } from '../../ground/contract/feed.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { momentText } from '../recognition/activity.ts';
import { findPost } from '../recognition/post-changes.ts';
import { own, personRecord } from './record.ts';

/** Replies to a post with a thank-you note, once for each receiver. The sender reads it. */
export function thankFor(database: Database, caller: WorkspaceGrant, id: number, text: string): Promise<ThanksList> {
  const { workspaceId, memberId } = caller;
  return database.transaction(async (tx) => {
    const { number, isForMe } = await findPost(tx, caller, id);
    if (!isForMe) throw new Failure('forbidden', 'Only a person who is thanked can reply with a thank-you note.');
    const added = await tx.query(addSql, [workspaceId, memberId, number, text]);
    if (added.length === 0) throw new Failure('conflict', 'You have replied to this post already.');
    return readThanks(tx, caller, number, false);
  });
}

const addSql = `
  insert into feed_thanks (workspace_id, number, member_id, text, at)
  select $1, $3, ${survivorOf('m')}, $4, (select ${timeOf('time')} from activity_counters time where time.workspace_id = $1)
    from members m
   where m.workspace_id = $1
     and m.id = $2
     and not exists (select from feed_thanks t
                      where t.workspace_id = $1 and t.number = $3 and t.member_id in (${recordsOf('$1', '$2')}))
  on conflict do nothing
  returning number`;

/** The thank-you notes for a post: its sender reads all of them, others their own. */
export async function listThanks(on: Queryable, caller: WorkspaceGrant, id: number): Promise<ThanksList> {
  const { number, isMine } = await findPost(on, caller, id);
  return readThanks(on, caller, number, isMine);
}

async function readThanks(
  on: Queryable,
  { workspaceId, memberId }: WorkspaceGrant,
  number: number,
  isSender: boolean,
): Promise<ThanksList> {
  const rows = await on.query<{ note: ThanksList['thanks'][number] }>(
    `with ${own}
     select json_build_object('from', ${personRecord('m')}, 'text', t.text, 'at', ${momentText('t.at')} || 'Z') as note
       from feed_thanks t
       join members wrote_as on wrote_as.workspace_id = t.workspace_id and wrote_as.id = t.member_id
       join members m on m.workspace_id = wrote_as.workspace_id and m.id = ${survivorOf('wrote_as')}
      where t.workspace_id = $1
        and t.number = $3
        and ($4::boolean or t.member_id in (select id from own))
      order by t.at, t.member_id`,
    [workspaceId, memberId, number, isSender],
  );
  return { thanks: rows.map(({ note }) => note) };
}
