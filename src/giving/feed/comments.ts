import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { recordsOf, survivorOf } from '../../company/directory/who.ts';
import { timeOf } from '../../company/workspaces/lock.ts';
import type { FeedComment, FeedComments, FeedListQuery } from '../../ground/contract/feed.ts';
import { type Database, type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { takeIds } from '../../ground/database/ids.ts';
import { Failure } from '../../ground/errors.ts';
import { momentText } from '../recognition/activity.ts';
import { findPost } from '../recognition/post-changes.ts';
import { shoutoutId } from '../recognition/shoutout-ids.ts';
import { own, personRecord } from './record.ts';

/** The comments of a post that the caller may see, the oldest first. */
export async function listComments(
  on: Queryable,
  caller: WorkspaceGrant,
  id: number,
  { size, after }: FeedListQuery,
): Promise<FeedComments> {
  const { number } = await findPost(on, caller, id);
  const rows = await on.query<{ comment: FeedComment }>(
    `${commentSql('c.number = $3 and c.id > $4::bigint and c.hidden_at is null')} order by c.id limit $5::int`,
    [caller.workspaceId, caller.memberId, number, Number(after ?? 0), size + 1],
  );
  const comments = rows.slice(0, size).map(({ comment }) => comment);
  return { comments, next: rows.length > size ? String(comments.at(-1)?.id) : null };
}

const commentSql = (where: string) => `
  with ${own}
  select json_build_object(
           'id', c.id, 'author', ${personRecord('m')}, 'text', c.text, 'createdAt', ${momentText('c.at')} || 'Z',
           'editedAt', ${momentText('c.edited_at')} || 'Z', 'isMine', m.id in (select id from own)) as comment
    from feed_comments c
    join members wrote_as on wrote_as.workspace_id = c.workspace_id and wrote_as.id = c.member_id
    join members m on m.workspace_id = wrote_as.workspace_id and m.id = ${survivorOf('wrote_as')}
   where c.workspace_id = $1
     and ${where}`;

/** A comment. The caller has checked that the reader may see it. */
async function readComment(on: Queryable, { workspaceId, memberId }: WorkspaceGrant, id: number): Promise<FeedComment> {
  return (await queryOne<{ comment: FeedComment }>(on, commentSql('c.id = $3'), [workspaceId, memberId, id])).comment;
}

/** A comment that was reported; null if its author has deleted it. */
export async function findReported(
  on: Queryable,
  { workspaceId, memberId }: WorkspaceGrant,
  id: number,
): Promise<FeedComment | null> {
  const found = await queryOptional<{ comment: FeedComment }>(on, commentSql('c.id = $3'), [workspaceId, memberId, id]);
  return found?.comment ?? null;
}

const now = `(select ${timeOf('time')} from activity_counters time where time.workspace_id = $1)`;

/** Comments on a post. Who may see the post may comment on it, and reads the comments of others. */
export function addComment(
  database: Database,
  caller: WorkspaceGrant,
  postId: number,
  text: string,
): Promise<FeedComment> {
  const { workspaceId, memberId } = caller;
  return database.transaction(async (tx) => {
    const { number } = await findPost(tx, caller, postId);
    const [id] = (await takeIds(tx, 'feed_comments', 1)) as [number];
    await tx.query(addSql, [workspaceId, memberId, number, id, text]);
    return readComment(tx, caller, id);
  });
}

const addSql = `
  with added as (
    insert into feed_comments (workspace_id, id, number, member_id, text, at)
    select $1, $4, $3, ${survivorOf('m')}, $5, ${now} from members m where m.workspace_id = $1 and m.id = $2
    returning number
  )
  insert into feed_posts as p (workspace_id, number, comments)
  select $1, number, 1 from added
  on conflict (workspace_id, number) do update set comments = p.comments + 1`;

/** Edits the caller's own comment. */
export function changeComment(
  database: Database,
  caller: WorkspaceGrant,
  id: number,
  text: string,
): Promise<FeedComment> {
  return database.transaction(async (tx) => {
    await findOwn(tx, caller, id);
    const changed = await tx.query(changeSql, [caller.workspaceId, id, text]);
    // It was deleted or hidden since it was found.
    if (changed.length === 0) throw noComment();
    return readComment(tx, caller, id);
  });
}

const changeSql = `
  update feed_comments
     set text = $3, edited_at = ${now}
   where workspace_id = $1
     and id = $2
     and hidden_at is null
  returning id`;

/** Deletes the caller's own comment. */
export function deleteComment(database: Database, caller: WorkspaceGrant, id: number): Promise<void> {
  return database.transaction(async (tx) => {
    await findOwn(tx, caller, id);
    // It was deleted or hidden since it was found. What is hidden is no longer counted.
    if ((await tx.query(deleteSql, [caller.workspaceId, id])).length === 0) throw noComment();
  });
}

const deleteSql = `
  with gone as (delete from feed_comments where workspace_id = $1 and id = $2 and hidden_at is null returning number)
  update feed_posts p
     set comments = p.comments - 1
    from gone
   where p.workspace_id = $1
     and p.number = gone.number
  returning p.number`;

interface Found {
  isMine: boolean;
  postId: number;
}

/** The comment with this id on a post that the caller may see. Others do not exist. */
export async function findComment(
  on: Queryable,
  caller: WorkspaceGrant,
  id: number,
): Promise<Found & { number: number }> {
  const found = await queryOptional<Found>(on, findSql, [caller.workspaceId, caller.memberId, id]);
  if (!found) throw noComment();
  // A comment on a post that the caller may not see does not exist either, in the same words.
  const { number } = await findPost(on, caller, found.postId).catch((error) => {
    throw error instanceof Failure && error.kind === 'missing' ? noComment() : error;
  });
  return { ...found, number };
}

function noComment(): Failure {
  return new Failure('missing', 'There is no comment with this id in this workspace.');
}

const findSql = `
  select c.member_id in (${recordsOf('$1', '$2')}) as "isMine", ${shoutoutId('c.number', 's')} as "postId"
    from feed_comments c
    left join shoutouts s on s.workspace_id = c.workspace_id and s.number = c.number
   where c.workspace_id = $1
     and c.id = $3
     and c.hidden_at is null`;

async function findOwn(tx: Queryable, caller: WorkspaceGrant, id: number): Promise<void> {
  const { isMine } = await findComment(tx, caller, id);
  if (!isMine) throw new Failure('forbidden', 'Only the author of a comment can change or delete it.');
}
