import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { keptOutRecords } from '../../company/directory/kept-out.ts';
import { recordsOf, survivorOf } from '../../company/directory/who.ts';
import type { FeedListQuery, FeedPeople, ReactionKind, Reactions } from '../../ground/contract/feed.ts';
import { type Database, type Queryable, queryOne } from '../../ground/database/database.ts';
import { findPost } from '../recognition/post-changes.ts';
import { own, ownReactions, personRecord, reactionCounts, receiversOf } from './record.ts';

const columns: Record<ReactionKind, string> = { WARM: 'warm', WELL_DONE: 'well_done', WOW: 'wow', SMILE: 'smile' };

/** Adds a reaction of the caller to a post that they may see, or takes it back. One of each kind for each person; the counts change with it. */
export function react(
  database: Database,
  caller: WorkspaceGrant,
  { id, kind }: { id: number; kind: ReactionKind },
  isOn: boolean,
): Promise<Reactions> {
  const { workspaceId, memberId } = caller;
  return database.transaction(async (tx) => {
    const { number } = await findPost(tx, caller, id);
    await tx.query(isOn ? addSql(columns[kind]) : removeSql(columns[kind]), [workspaceId, memberId, number, kind]);
    return queryOne<Reactions>(tx, countsSql, [workspaceId, memberId, number]);
  });
}

const person = `(select ${survivorOf('m')} from members m where m.workspace_id = $1 and m.id = $2)`;

const addSql = (column: string) => `
  with added as (
    insert into feed_reactions (workspace_id, number, kind, member_id, at)
    select $1, $3, $4, ${person}, now()
     where not exists (select from feed_reactions f
                        where f.workspace_id = $1 and f.number = $3 and f.kind = $4 and f.member_id in (${recordsOf('$1', '$2')}))
    on conflict do nothing
    returning number
  )
  insert into feed_posts as p (workspace_id, number, ${column})
  select $1, number, 1 from added
  on conflict (workspace_id, number) do update set ${column} = p.${column} + 1`;

const removeSql = (column: string) => `
  with removed as (
    delete from feed_reactions f
     where f.workspace_id = $1 and f.number = $3 and f.kind = $4 and f.member_id in (${recordsOf('$1', '$2')})
    returning f.number
  )
  update feed_posts p
     set ${column} = p.${column} - (select count(*) from removed)
   where p.workspace_id = $1
     and p.number = $3`;

const countsSql = `
  with ${own}
  select ${reactionCounts('p')} as reactions, ${ownReactions('$3::bigint')} as "myReactions"
    from (select $1::bigint as workspace_id) one
    left join feed_posts p on p.workspace_id = $1 and p.number = $3`;

/** Who reacted to a post in one way, by id. */
export async function listReactions(
  on: Queryable,
  caller: WorkspaceGrant,
  id: number,
  { kind, ...page }: FeedListQuery & { kind: ReactionKind },
): Promise<FeedPeople> {
  const { number } = await findPost(on, caller, id);
  const people = `select ${survivorOf('r')} as id
                    from feed_reactions f
                    join members r on r.workspace_id = f.workspace_id and r.id = f.member_id
                   where f.workspace_id = $1 and f.number = $3 and f.kind = $6`;
  return listPeople(on, caller, people, number, page, [kind]);
}

/** The people whom a post thanks, by id. */
export async function listReceivers(
  on: Queryable,
  caller: WorkspaceGrant,
  id: number,
  page: FeedListQuery,
): Promise<FeedPeople> {
  const { number } = await findPost(on, caller, id);
  const people = `select r.id from activities a cross join lateral (${receiversOf}) r where a.workspace_id = $1 and a.number = $3`;
  return listPeople(on, caller, people, number, page);
}

async function listPeople(
  on: Queryable,
  { workspaceId, memberId }: WorkspaceGrant,
  people: string,
  number: number,
  { size, after }: FeedListQuery,
  more: readonly unknown[] = [],
): Promise<FeedPeople> {
  const rows = await on.query<{ id: number; person: FeedPeople['people'][number] }>(
    `with ${own}
     select m.id, ${personRecord('m')} as person
       from (select distinct id from (${people}) found) page
       join members m on m.workspace_id = $1 and m.id = page.id
      where m.id > $4::bigint
        and (m.id in (select id from own) or m.id not in (${keptOutRecords('$1')}))
      order by m.id
      limit $5::int`,
    [workspaceId, memberId, number, Number(after ?? 0), size + 1, ...more],
  );
  const shown = rows.slice(0, size);
  return {
    people: shown.map((row) => row.person),
    next: rows.length > size ? String((shown.at(-1) as { id: number }).id) : null,
  };
}
