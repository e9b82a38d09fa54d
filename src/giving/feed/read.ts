import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { keptOutRecords } from '../../company/directory/kept-out.ts';
import { survivorOf } from '../../company/directory/who.ts';
import type { FeedPage, FeedPost, FeedQuery, MyShoutouts, MyShoutoutsQuery } from '../../ground/contract/feed.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { findPost } from '../recognition/post-changes.ts';
import { isFirst, postOf } from '../recognition/posts.ts';
import { isInFeed } from '../recognition/visibility.ts';
import { own, postJoins, postRecord, postsOfPage } from './record.ts';

/** Of a group with at most this many records, the posts of each are read from an index. Larger groups have posts among the newest of all. */
const mostInGroup = 300;
/** In search of posts of a large group, a page looks at this many: its time does not grow with the feed. The next page continues there. */
const mostLookedAt = 20_000;

interface Row {
  posts: FeedPost[];
  /** The number of the last post of the page. */
  last: number | null;
  /** How many posts were found, one more than the page may have if there are others. */
  found: number;
  /** The number at which the search has ended, if it was cut off. */
  reached: number | null;
}

/** What all posts of the feed have in common, in the words of its index (migration 0080). */
const isOpen = `a.type = 'SHOUTOUT' and a.status = 'APPROVED' and not a.is_private and a.hidden_at is null and ${isFirst('a')}`;

/** A page of the feed, the newest first: what everyone may see, and the private posts that the caller gave or received. */
export async function readFeed(
  on: Queryable,
  caller: WorkspaceGrant,
  { filter, reasonId, size, after }: FeedQuery,
): Promise<FeedPage> {
  const values = [
    caller.workspaceId,
    caller.memberId,
    Number(after ?? Number.MAX_SAFE_INTEGER),
    size,
    reasonId ?? null,
  ];
  const reason = reasonId === undefined ? '($5::bigint is null)' : 'a.reason_id = $5::bigint';
  if (filter === 'ALL') return pageOf(await queryOne<Row>(on, feedSql(reason), values), size);
  const group = await readGroup(on, caller, filter);
  if (group.length === 0) return { posts: [], next: null };
  const isLarge = group.length > mostInGroup;
  const sql = isLarge ? largeGroupSql(reason, groups[filter]) : groupSql(reason);
  return pageOf(await queryOne<Row>(on, sql, isLarge ? values : [...values, group]), size);
}

/** The newest public posts, as a reader who is no person of the workspace: no private post, and no gift that is not shown to all. */
export async function readPublicFeed(on: Queryable, workspaceId: number, size: number): Promise<FeedPost[]> {
  const noOne = 0;
  const values = [workspaceId, noOne, Number.MAX_SAFE_INTEGER, size, null];
  return (await queryOne<Row>(on, feedSql('($5::bigint is null)'), values)).posts;
}

/** Posts by their numbers, as such a reader. Who may see a post is up to the caller. */
export async function readPostsByNumber(
  on: Queryable,
  workspaceId: number,
  numbers: readonly number[],
): Promise<Map<number, FeedPost>> {
  const rows = await on.query<{ number: number; post: FeedPost }>(
    `with own as (select null::bigint as id where false)
     select a.number, ${postRecord} as post
       from unnest($2::bigint[]) as page (number)
       join activities a on a.workspace_id = $1 and a.number = page.number
       ${postJoins}`,
    [workspaceId, numbers],
  );
  return new Map(rows.map(({ number, post }) => [number, post]));
}

function pageOf({ posts, last, found, reached }: Row, size: number): FeedPage {
  const next = found > size ? last : reached;
  return { posts, next: next === null ? null : String(next) };
}

/** Who belongs to the group of the caller `c`, as a condition on a member `m`. A blank location is no group. */
const groups: Record<'MY_TEAM' | 'MY_LOCATION', string> = {
  MY_TEAM: 'm.team_id = c.team_id',
  MY_LOCATION: `lower(m.location) = lower(c.location) and trim(c.location) <> ''`,
};

async function readGroup(on: Queryable, caller: WorkspaceGrant, filter: keyof typeof groups): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    `select r.id
       from members named
       join members c on c.workspace_id = $1 and c.id = ${survivorOf('named')}
       join members m on m.workspace_id = $1 and ${groups[filter]}
       join members r on r.workspace_id = $1 and (r.id = m.id or r.merged_into = m.id)
      where named.workspace_id = $1
        and named.id = $2
      limit ${mostInGroup + 1}`,
    [caller.workspaceId, caller.memberId],
  );
  return rows.map(({ id }) => id);
}

const selected = (found: string, reached = 'null::bigint') => `
  ${found},
  page as (select number from found order by number desc limit $4::int)
  select ${postsOfPage} as posts, (select min(number) from page) as last, (select count(*) from found) as found, ${reached} as reached`;

/** The newest $4 + 1 private posts of the caller before $3. */
const privateOwn = (reason: string) => {
  const read = (column: string) => `
    (select ${postOf('a')} as number
       from activities a
      where a.workspace_id = $1 and a.${column} in (select id from own) and a.is_private
        and a.type = 'SHOUTOUT' and a.status = 'APPROVED' and a.hidden_at is null and ${postOf('a')} < $3::bigint and ${reason}
      group by 1
      order by 1 desc
      limit $4::int + 1)`;
  return `${read('sender_id')} union all ${read('receiver_id')}`;
};

const feedSql = (reason: string) => `
  with ${own},
  ${selected(`found as materialized (
    select number
      from ((select a.number
               from activities a
              where a.workspace_id = $1 and ${isOpen} and (${isInFeed}) and a.number < $3::bigint and ${reason}
              order by a.number desc
              limit $4::int + 1)
            union all ${privateOwn(reason)}) both_kinds
     group by number
     order by number desc
     limit $4::int + 1)`)}`;

const isOwnPost = `(a.sender_id in (select id from own) or exists (
          select from activities r
           where r.workspace_id = $1 and (r.number = a.number or r.lead_number = ${postOf('a')}) and r.receiver_id in (select id from own)))`;

/** The posts to a few people, each from the index of receivers. */
const groupSql = (reason: string) => `
  with ${own},
  ${selected(`found as materialized (
    select number
      from unnest($6::bigint[]) as member (id)
     cross join lateral (
             select ${postOf('a')} as number
               from activities a
              where a.workspace_id = $1 and a.receiver_id = member.id and a.type = 'SHOUTOUT' and a.status = 'APPROVED'
                and a.hidden_at is null and a.number < $3::bigint + 200 and ${postOf('a')} < $3::bigint and ${reason}
                and (not a.is_private or ${isOwnPost})
                and (a.is_private or a.sender_id not in (${keptOutRecords('$1')}) and a.receiver_id not in (${keptOutRecords('$1')}))
              order by a.number desc
              limit $4::int + 1) newest
     group by number
     order by number desc
     limit $4::int + 1)`)}`;

const largeGroupSql = (reason: string, group: string) => `
  with ${own},
  looked_at as materialized (
    select a.workspace_id, a.number
      from activities a
     where a.workspace_id = $1 and ${isOpen} and (${isInFeed}) and a.number < $3::bigint and ${reason}
     order by a.number desc
     limit ${mostLookedAt}
  ),
  ${selected(
    `found as materialized (
    select a.number
      from looked_at a
      join members named on named.workspace_id = $1 and named.id = $2::bigint
      join members c on c.workspace_id = $1 and c.id = ${survivorOf('named')}
     where exists (select from activities r
                     join members got on got.workspace_id = $1 and got.id = r.receiver_id
                     join members m on m.workspace_id = $1 and m.id = ${survivorOf('got')}
                    where r.workspace_id = $1 and (r.number = a.number or r.lead_number = a.number) and ${group})
     order by a.number desc
     limit $4::int + 1)`,
    `(select case when count(*) = ${mostLookedAt} then min(number) end from looked_at)`,
  )}`;

/** One post, as the caller may see it. */
export async function readPost(on: Queryable, caller: WorkspaceGrant, id: number): Promise<FeedPost> {
  const { number } = await findPost(on, caller, id);
  return readPostOf(on, caller, number);
}

/** A post that the caller may see. */
export async function readPostOf(
  on: Queryable,
  { workspaceId, memberId }: WorkspaceGrant,
  number: number,
): Promise<FeedPost> {
  const sql = `
    with ${own}
    select ${postRecord} as post from activities a ${postJoins} where a.workspace_id = $1 and a.number = $3`;
  return (await queryOne<{ post: FeedPost }>(on, sql, [workspaceId, memberId, number])).post;
}

/** What the caller received or gave, the newest first. The sender sees what waits and what was declined, too. */
export async function readMine(
  on: Queryable,
  { workspaceId, memberId }: WorkspaceGrant,
  { direction, size, after }: MyShoutoutsQuery,
): Promise<MyShoutouts> {
  const before = Number(after ?? Number.MAX_SAFE_INTEGER);
  const row = await queryOne<Row & { total: number }>(on, mineSql(direction), [workspaceId, memberId, before, size]);
  return { ...pageOf(row, size), total: row.total };
}

const mineSql = (direction: MyShoutoutsQuery['direction']) => {
  const [column, status] =
    direction === 'given' ? ['sender_id', isFirst('a')] : ['receiver_id', `a.status = 'APPROVED'`];
  const mine = `a.workspace_id = $1 and a.${column} in (select id from own) and a.type = 'SHOUTOUT' and a.hidden_at is null and ${status}`;
  return `
  with ${own},
  ${selected(`found as materialized (
    select ${postOf('a')} as number
      from activities a
     where ${mine} and ${postOf('a')} < $3::bigint
     group by 1
     order by 1 desc
     limit $4::int + 1)`)},
         (select count(distinct ${postOf('a')}) from activities a where ${mine}) as total`;
};
