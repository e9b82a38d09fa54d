import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { survivorOf } from '../../company/directory/who.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { PostChange } from '../../ground/contract/feed.ts';
import { type Database, type Queryable, queryOptional } from '../../ground/database/database.ts';
import { runSteps, tellSteps } from '../../ground/database/run-steps.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { writeDecisions } from './decide.ts';
import { hasGifts, refuseWithGifts } from './post-gifts.ts';
import { postOf, shoutoutsOfPost } from './posts.ts';
import { notOffered, offeredReasons } from './reasons.ts';
import type { ChangedShoutouts, ShoutoutStep } from './shoutout-steps.ts';
import { isInFeed, visibleTo } from './visibility.ts';

/** A post that a caller may see, and what they may do with it. */
export interface SeenPost {
  number: number;
  status: 'PENDING' | 'APPROVED' | 'DECLINED';
  isMine: boolean;
  isForMe: boolean;
  isPrivate: boolean;
  isHidden: boolean;
  isInFeed: boolean;
}

/** Finds a post by its id. One that the caller may not see does not exist: others see what is approved, in the feed and not hidden. */
export async function findPost(on: Queryable, caller: WorkspaceGrant, id: number): Promise<SeenPost> {
  const found = await queryOptional<SeenPost>(on, postSql(caller), [caller.workspaceId, id, caller.memberId]);
  if (!found || found.isHidden || !isOpenTo(found)) throw noPost();
  return found;
}

function isOpenTo({ status, isMine, isForMe, isInFeed }: SeenPost): boolean {
  return isMine || (status === 'APPROVED' && (isForMe || isInFeed));
}

function noPost(): Failure {
  return new Failure('missing', 'There is no post with this id in this workspace.');
}

const isSelf = (member: string) => `
  (select ${survivorOf('m')} from members m where m.workspace_id = $1 and m.id = ${member})
  = (select ${survivorOf('m')} from members m where m.workspace_id = $1 and m.id = $3)`;

const postSql = (caller: WorkspaceGrant) => `
  select a.number, a.status, a.is_private as "isPrivate", a.hidden_at is not null as "isHidden", (${isInFeed}) as "isInFeed",
         ${isSelf('a.sender_id')} as "isMine",
         exists (select from activities r
                  where r.workspace_id = $1 and (r.number = a.number or r.lead_number = a.number) and ${isSelf('r.receiver_id')}) as "isForMe"
    from histories h
    join shoutouts s    on s.workspace_id = $1 and s.number = $2::bigint - h.base and s.base = h.base
    join activities one on one.workspace_id = $1 and one.number = s.number
    join activities a   on a.workspace_id = $1 and a.number = ${postOf('one')}
   where ${visibleTo(caller, 'a', '$3::bigint')}`;

/** Changes the text or the reason of the caller's own post, or makes it private. What an approver reads or has approved is not changed behind their back. */
export async function changePost(
  database: Database,
  steps: readonly ShoutoutStep[],
  caller: WorkspaceGrant,
  id: number,
  { message, reasonId, isPrivate }: PostChange,
  noteEdit: (tx: Queryable, number: number, moment: string) => Promise<void>,
): Promise<void> {
  await change(database, steps, caller, id, async (tx, moment, post) => {
    const isApproved = post.status === 'APPROVED' && caller.asksForApproval;
    if ((isApproved || post.status === 'PENDING') && (message ?? reasonId) !== undefined)
      throw new Failure(
        'conflict',
        `This post ${isApproved ? 'was approved' : 'waits for approval'} as it is: delete it and give another one.`,
      );
    if (isPrivate && (await hasGifts(tx, caller.workspaceId, post.number)))
      throw new Failure(
        'conflict',
        'A gift came with this post, and others know its message: delete the post instead.',
      );
    if (isPrivate === false && post.isPrivate)
      throw invalid([{ path: 'isPrivate', problem: 'cannot be false: a private post stays private' }]);
    if (reasonId && !(await offeredReasons(tx, caller.workspaceId, [reasonId])).has(reasonId))
      throw invalid([{ path: 'reasonId', problem: notOffered }]);
    const values = [caller.workspaceId, post.number, message ?? null, reasonId ?? null, isPrivate ?? false];
    if ((await tx.query(changeSql, values)).length === 0) return null;
    await noteEdit(tx, post.number, moment);
    return [];
  });
}

/**
 * Deletes the caller's own post. One that waits is withdrawn: it counts as declined. One that was given leaves the feed, and its text is removed; that people
 * were recognized still counts.
 */
export async function deletePost(
  database: Database,
  steps: readonly ShoutoutStep[],
  caller: WorkspaceGrant,
  id: number,
): Promise<void> {
  await change(database, steps, caller, id, async (tx, moment, post) => {
    const { workspaceId, memberId } = caller;
    const all = await shoutoutsOfPost(tx, workspaceId, post.number);
    const made = { decision: 'DECLINED' as const, decidedBy: memberId, reason: null };
    const declined = await writeDecisions(
      tx,
      workspaceId,
      all.map(({ number }) => ({ number, moment })),
      made,
    );
    await tx.query(changeSql, [workspaceId, post.number, '', null, false]);
    await hidePost(tx, workspaceId, post.number, moment);
    return all
      .filter(({ number }) => declined.includes(number))
      .map((one) => ({ id: one.id, decision: 'DECLINED' as const, decidedBy: post.isPrivate ? null : memberId }));
  });
}

/** Takes a post out of the feed, or shows it again (null), unless its sender has deleted it: then it has no text. */
export async function hidePost(tx: Queryable, workspaceId: number, number: number, at: string | null): Promise<void> {
  await tx.query(
    `update activities
        set hidden_at = $3
      where workspace_id = $1
        and (number = $2 or lead_number = $2)
        and ($3::timestamptz is not null or description <> '')`,
    [workspaceId, number, at],
  );
}

/** Makes a change of the caller's own post, with its events. Without any if `work` returns null: nothing has changed. */
async function change(
  database: Database,
  steps: readonly ShoutoutStep[],
  caller: WorkspaceGrant,
  id: number,
  work: (tx: Queryable, moment: string, post: SeenPost) => Promise<ChangedShoutouts['decided'] | null>,
): Promise<void> {
  const { workspaceId } = caller;
  const changed = await inWorkspace(database, workspaceId, async (tx, moment) => {
    const post = await findPost(tx, caller, id);
    if (!post.isMine) throw new Failure('forbidden', 'Only the sender of a post can change or delete it.');
    await refuseWithGifts(tx, workspaceId, post.number);
    if (post.status === 'DECLINED') throw new Failure('conflict', 'This post was declined: give another one.');
    const decided = await work(tx, moment, post);
    if (decided === null) return null;
    const decidedIds = new Set(decided.map((one) => one.id));
    const edited = (await shoutoutsOfPost(tx, workspaceId, post.number)).map((one) => one.id);
    const made: ChangedShoutouts = {
      workspaceId,
      moment,
      given: [],
      decided,
      edited: edited.filter((one) => !decidedIds.has(one)),
    };
    await runSteps(steps, tx, made);
    return made;
  });
  if (changed) tellSteps(steps, changed);
}

// The body keeps what was sent, to compare a repeated request with: it changes with the text.
const changeSql = `
  with changed as (
    update activities a
       set description = coalesce($3, a.description), reason_id = coalesce($4::bigint, a.reason_id), is_private = a.is_private or $5::boolean
     where a.workspace_id = $1
       and (a.number = $2 or a.lead_number = $2)
       and (a.description, a.reason_id, a.is_private)
           is distinct from (coalesce($3, a.description), coalesce($4::bigint, a.reason_id), a.is_private or $5::boolean)
    returning a.number
  ),
  bodies as (
    update shoutouts s
       set body = s.body || jsonb_build_object('message', $3::text)
      from changed
     where $3 is not null
       and s.workspace_id = $1
       and s.number = changed.number
  )
  select number from changed`;
