import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { recordsOf, survivorOf } from '../../company/directory/who.ts';
import { audit } from '../../company/workspaces/audit.ts';
import { inWorkspace, timeOf } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { CaseQuery, FeedCase, FeedCases } from '../../ground/contract/feed-moderation.ts';
import { type Database, type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { takeIds } from '../../ground/database/ids.ts';
import { runSteps, tellSteps } from '../../ground/database/run-steps.ts';
import { Failure } from '../../ground/errors.ts';
import { momentText } from '../recognition/activity.ts';
import { findPost, hidePost } from '../recognition/post-changes.ts';
import { shoutoutsOfPost } from '../recognition/posts.ts';
import type { ChangedShoutouts } from '../recognition/shoutout-steps.ts';
import { findComment, findReported } from './comments.ts';
import type { PostGiving } from './give-with-gifts.ts';
import { readPostOf } from './read.ts';
import { own, personRecord } from './record.ts';

/** Reports a post that the caller may see. A second report of the same person changes nothing. */
export function reportPost(database: Database, caller: WorkspaceGrant, id: number, why: string): Promise<void> {
  return database.transaction(async (tx) => {
    const { number, isMine } = await findPost(tx, caller, id);
    if (isMine) throw ownText('post');
    await report(tx, caller, { number, commentId: null }, why);
  });
}

/** Reports a comment that the caller may see. */
export function reportComment(database: Database, caller: WorkspaceGrant, id: number, why: string): Promise<void> {
  return database.transaction(async (tx) => {
    const { number, isMine } = await findComment(tx, caller, id);
    if (isMine) throw ownText('comment');
    await report(tx, caller, { number, commentId: id }, why);
  });
}

function ownText(what: string): Failure {
  return new Failure('conflict', `This is your own ${what}: delete it instead.`);
}

interface Subject {
  number: number;
  commentId: number | null;
}

/** What was kept before is open again with a new report. */
async function report(tx: Queryable, { workspaceId, memberId }: WorkspaceGrant, subject: Subject, why: string) {
  const [id] = (await takeIds(tx, 'feed_cases', 1)) as [number];
  const { number, commentId } = subject;
  await tx.query(reportSql, [workspaceId, memberId, id, number, commentId, why]);
}

const now = `(select ${timeOf('time')} from activity_counters time where time.workspace_id = $1)`;

const reportSql = `
  with one as (
    insert into feed_cases as c (workspace_id, id, number, comment_id, state, first_at)
    values ($1, $3, $4, $5, 'OPEN', ${now})
    on conflict (workspace_id, number, comment_id) do update set state = case when c.state = 'KEPT' then 'OPEN' else c.state end
    returning id
  )
  insert into feed_reports (workspace_id, case_id, member_id, why, at)
  select $1, one.id, ${survivorOf('m')}, $6, ${now}
    from one
    join members m on m.workspace_id = $1 and m.id = $2
   where not exists (select from feed_reports r
                      where r.workspace_id = $1 and r.case_id = one.id and r.member_id in (${recordsOf('$1', '$2')}))
  on conflict do nothing`;

interface CaseRow extends Omit<FeedCase, 'post' | 'comment'> {
  number: number;
  commentId: number | null;
}

/** What was reported: open cases, or the log of decided ones, the newest first. */
export async function listCases(
  on: Queryable,
  caller: WorkspaceGrant,
  { state, size, after }: CaseQuery,
): Promise<FeedCases> {
  const { workspaceId, memberId } = caller;
  const which = state === 'OPEN' ? `c.state = 'OPEN'` : `c.state <> 'OPEN'`;
  const before = Number(after ?? Number.MAX_SAFE_INTEGER);
  const rows = await on.query<CaseRow>(
    `${casesSql(`${which} and c.id < $3::bigint`)} order by c.id desc limit $4::int`,
    [workspaceId, memberId, before, size + 1],
  );
  const { open } = await queryOne<{ open: number }>(
    on,
    `select count(*) as open from feed_cases c where c.workspace_id = $1 and c.state = 'OPEN' and ${hasSubject}`,
    [workspaceId],
  );
  const shown = rows.slice(0, size);
  const cases: FeedCase[] = [];
  for (const row of shown) {
    const found = await caseOf(on, caller, row);
    if (found) cases.push(found);
  }
  return { cases, open, next: rows.length > size ? String(shown.at(-1)?.id) : null };
}

/** Null: it is about a comment that its author has deleted since it was found. */
async function caseOf(
  on: Queryable,
  caller: WorkspaceGrant,
  { number, commentId, ...row }: CaseRow,
): Promise<FeedCase | null> {
  const comment = commentId === null ? null : await findReported(on, caller, commentId);
  if (commentId !== null && comment === null) return null;
  return { ...row, post: await readPostOf(on, caller, number), comment };
}

/** A case about a comment that its author has deleted does not exist: nothing can be decided about it. */
const hasSubject = `(c.comment_id is null
      or exists (select from feed_comments f where f.workspace_id = $1 and f.id = c.comment_id))`;

const casesSql = (where: string) => `
  with ${own}
  select c.id, c.number, c.comment_id as "commentId", c.state, c.note,
         ${momentText('c.first_at')} || 'Z' as "firstAt", ${momentText('c.decided_at')} || 'Z' as "decidedAt",
         case when m.id is not null then ${personRecord('m')} end as "decidedBy",
         (select count(*) from feed_reports r where r.workspace_id = $1 and r.case_id = c.id) as reports,
         array(select r.why from feed_reports r
                where r.workspace_id = $1 and r.case_id = c.id and r.why <> '' order by r.at) as whys
    from feed_cases c
    left join members by_as on by_as.workspace_id = $1 and by_as.id = c.decided_by
    left join members m     on m.workspace_id = $1 and m.id = ${survivorOf('by_as')}
   where c.workspace_id = $1
     and ${hasSubject}
     and ${where}`;

/** Hides what was reported, or keeps it, with an entry in the audit log. What was hidden can be kept later: then it is shown again. */
export async function decideCase(
  { database, steps }: Pick<PostGiving, 'database' | 'steps'>,
  caller: WorkspaceGrant,
  actor: Actor,
  { id, state, note }: { id: number; state: 'HIDDEN' | 'KEPT'; note: string | null },
): Promise<FeedCase> {
  const { workspaceId, memberId } = caller;
  const { decided, changed } = await inWorkspace(database, workspaceId, async (tx, moment) => {
    await tx.query(lockCommentSql, [workspaceId, id]);
    const found = await queryOptional<Subject>(tx, decideSql, [workspaceId, id, state, memberId, moment, note]);
    if (!found) throw noCase();
    const isPost = found.commentId === null;
    const hiddenAt = state === 'HIDDEN' ? moment : null;
    if (isPost) await hidePost(tx, workspaceId, found.number, hiddenAt);
    else await tx.query(hideCommentSql, [workspaceId, found.commentId, hiddenAt]);
    const edited = isPost ? (await shoutoutsOfPost(tx, workspaceId, found.number)).map((one) => one.id) : [];
    const changed: ChangedShoutouts = { workspaceId, moment, given: [], decided: [], edited };
    await runSteps(steps, tx, changed);
    const action = state === 'HIDDEN' ? 'feed.hidden' : 'feed.kept';
    await audit(tx, {
      workspaceId,
      actor,
      action,
      subject: { id, name: null },
      detail: { of: isPost ? 'POST' : 'COMMENT' },
    });
    const row = await queryOne<CaseRow>(tx, casesSql('c.id = $3'), [workspaceId, memberId, id]);
    const decided = await caseOf(tx, caller, row);
    if (!decided) throw noCase();
    return { decided, changed };
  });
  tellSteps(steps, changed);
  return decided;
}

function noCase(): Failure {
  return new Failure('missing', 'There is no case with this id in this workspace.');
}

/** Waits for the author of the comment of a case, who may be deleting it: then the case does not exist. */
const lockCommentSql = `
  select
    from feed_cases c
    join feed_comments f on f.workspace_id = $1 and f.id = c.comment_id
   where c.workspace_id = $1
     and c.id = $2
     for update of f`;

const decideSql = `
  update feed_cases c
     set state = $3, decided_by = $4, decided_at = $5, note = $6
   where c.workspace_id = $1
     and c.id = $2
     and ${hasSubject}
  returning number, comment_id as "commentId"`;

const hideCommentSql = `
  with changed as (
    update feed_comments c
       set hidden_at = $3::timestamptz
     where c.workspace_id = $1
       and c.id = $2
       and (c.hidden_at is null) <> ($3::timestamptz is null)
    returning c.number
  )
  update feed_posts p
     set comments = p.comments + case when $3::timestamptz is null then 1 else -1 end
    from changed
   where p.workspace_id = $1
     and p.number = changed.number`;
