import type { WorkspaceGrant } from '../../company/access/grants.ts';
import type { FeedPost, NewPost, PostChange } from '../../ground/contract/feed.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { changePost } from '../recognition/post-changes.ts';
import { type GivenPost, givePost } from '../recognition/posts.ts';
import { giveWithGifts, type PostGiving, type PostSender } from './give-with-gifts.ts';
import { readPost, readPostOf } from './read.ts';

/** Gives a post, with gifts if it has any, and returns it as its sender sees it. */
export async function giveNewPost(giving: PostGiving, caller: PostSender, post: NewPost): Promise<FeedPost> {
  const { database, steps } = giving;
  const noteTeam = (tx: Queryable, { number, teamId }: GivenPost) => noteTeamOf(tx, caller.workspace, number, teamId);
  const { gift } = post;
  const { number } = gift
    ? await giveWithGifts(giving, caller, { ...post, gift }, noteTeam)
    : await givePost(database, steps, caller, post, noteTeam);
  return readPostOf(database, caller.workspace, number);
}

async function noteTeamOf(
  tx: Queryable,
  { workspaceId }: WorkspaceGrant,
  number: number,
  teamId: number | null,
): Promise<void> {
  if (teamId === null) return;
  await tx.query('insert into feed_posts (workspace_id, number, team_id) values ($1, $2, $3)', [
    workspaceId,
    number,
    teamId,
  ]);
}

/** Edits the caller's own post. */
export async function editPost(
  { database, steps }: PostGiving,
  caller: WorkspaceGrant,
  id: number,
  change: PostChange,
): Promise<FeedPost> {
  await changePost(database, steps, caller, id, change, async (tx, number, moment) => {
    await tx.query(
      `insert into feed_posts as p (workspace_id, number, edited_at) values ($1, $2, $3)
       on conflict (workspace_id, number) do update set edited_at = excluded.edited_at`,
      [caller.workspaceId, number, moment],
    );
  });
  return readPost(database, caller, id);
}
