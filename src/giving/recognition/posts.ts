import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { hasLeft, isPerson, survivorOf } from '../../company/directory/who.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { NewPost } from '../../ground/contract/feed.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { runSteps, tellSteps } from '../../ground/database/run-steps.ts';
import { type Fault, invalid } from '../../ground/errors.ts';
import { notOffered, offeredReasons } from './reasons.ts';
import { shoutoutId } from './shoutout-ids.ts';
import type { ChangedShoutouts, GivenShoutout, ShoutoutStep } from './shoutout-steps.ts';
import { recordShoutouts } from './shoutouts.ts';

/** The most people that one post thanks. */
const mostReceivers = 200;

/** The number of a post: that of its first shoutout, as an SQL expression on an activity. */
export function postOf(alias: string): string {
  return `coalesce(${alias}.lead_number, ${alias}.number)`;
}

/** True for the first shoutout of a post. */
export function isFirst(alias: string): string {
  return `(${alias}.lead_number is null or ${alias}.lead_number = ${alias}.number)`;
}

/** All shoutouts of the post that one of them belongs to. They are decided, edited and hidden together. */
export function shoutoutsOfPost(
  tx: Queryable,
  workspaceId: number,
  number: number,
): Promise<{ number: number; id: number }[]> {
  return tx.query(shoutoutsSql, [workspaceId, number]);
}

const shoutoutsSql = `
  select a.number, ${shoutoutId('a.number', 's')} as id
    from activities one
    join activities a on a.workspace_id = one.workspace_id and (a.number = one.number or a.lead_number = one.lead_number)
    left join shoutouts s on s.workspace_id = a.workspace_id and s.number = a.number
   where one.workspace_id = $1
     and one.number = $2
   order by a.number`;

export interface GivenPost {
  number: number;
  id: number;
  senderId: number;
  receiverIds: readonly number[];
  /** The team that was thanked as a whole. */
  teamId: number | null;
}

/**
 * Gives a post: a shoutout to each of its people, all of them or none, with numbers that follow each other. `notePost` runs in the same transaction.
 * A post that `waits` is PENDING also where no approval is asked for.
 */
export async function givePost(
  database: Database,
  steps: readonly ShoutoutStep[],
  caller: { tokenId: number | null; workspace: WorkspaceGrant },
  post: NewPost,
  notePost: (tx: Queryable, given: GivenPost) => Promise<void>,
  { waits = false }: { waits?: boolean } = {},
): Promise<GivenPost> {
  const { tokenId, workspace } = caller;
  const { workspaceId, asksForApproval } = workspace;
  const { first, changed } = await inWorkspace(database, workspaceId, async (tx, moment) => {
    const { self, receivers } = await findReceivers(tx, workspace, post);
    const { message, reasonId, isPrivate } = post;
    const shoutout = { recipient: {}, message, isPrivate, ...(reasonId && { reasonId }) };
    const status = asksForApproval || waits ? ('PENDING' as const) : ('APPROVED' as const);
    const one = { tokenId, idempotencyKey: null, senderId: self, status, moment, shoutout };
    const given = await recordShoutouts(
      tx,
      workspaceId,
      receivers.map((receiverId) => ({ ...one, receiverId })),
    );
    const { number, id } = given[0] as GivenShoutout;
    if (given.length > 1)
      await tx.query('update activities set lead_number = $2 where workspace_id = $1 and number between $2 and $3', [
        workspaceId,
        number,
        number + given.length - 1,
      ]);
    const [to] = post.to;
    const teamId = (post.to.length === 1 && to?.teamId) || null;
    const first = { number, id, senderId: self, receiverIds: receivers, teamId };
    await notePost(tx, first);
    const changed: ChangedShoutouts = { workspaceId, moment, given, decided: [] };
    await runSteps(steps, tx, changed);
    return { first, changed };
  });
  tellSteps(steps, changed);
  return first;
}

interface Named {
  nth: number;
  teamId: number | null;
  /** Null: there is no such person or team, or the team has no people. */
  memberId: number | null;
  hasLeft: boolean;
}

/** The people of a post, each once, in the sequence in which they are named. People cannot recognize themselves, and a team is thanked without its sender. */
export async function findReceivers(
  tx: Queryable,
  { workspaceId, memberId }: WorkspaceGrant,
  { to, reasonId }: NewPost,
) {
  const faults: Fault[] = [];
  for (const [nth, { memberId: person, teamId }] of to.entries())
    if ((person === undefined) === (teamId === undefined))
      faults.push({ path: `to[${nth}]`, problem: 'must have a memberId or a teamId, and not both' });
  const values = [workspaceId, to.map((one) => one.memberId ?? null), to.map((one) => one.teamId ?? null), memberId];
  const rows = await tx.query<Named & { self: number }>(namedSql, values);
  const self = rows[0]?.self as number;
  for (const row of rows) {
    if (row.memberId === null)
      faults.push({ path: `to[${row.nth}]`, problem: row.teamId === null ? 'is no member' : 'is no team with people' });
    else if (row.teamId === null && row.memberId === self)
      faults.push({ path: `to[${row.nth}].memberId`, problem: 'is the sender: people cannot recognize themselves' });
    else if (row.teamId === null && row.hasLeft)
      faults.push({ path: `to[${row.nth}].memberId`, problem: 'has left the workspace' });
  }
  if (reasonId && !(await offeredReasons(tx, workspaceId, [reasonId])).has(reasonId))
    faults.push({ path: 'reasonId', problem: notOffered });
  const receivers = [...new Set(rows.flatMap((row) => row.memberId ?? []))].filter((id) => id !== self);
  if (faults.length === 0 && receivers.length === 0)
    faults.push({ path: 'to', problem: 'has no person besides the sender' });
  if (receivers.length > mostReceivers)
    faults.push({ path: 'to', problem: `must be ${mostReceivers} people or fewer, and is ${receivers.length}` });
  if (faults.length > 0) throw invalid(faults);
  return { self, receivers };
}

const namedSql = `
  select (asked.nth - 1)::int as nth, asked.team_id as "teamId", found.id as "memberId", coalesce(found.has_left, false) as "hasLeft",
         (select ${survivorOf('s')} from members s where s.workspace_id = $1 and s.id = $4) as self
    from unnest($2::bigint[], $3::bigint[]) with ordinality as asked (member_id, team_id, nth)
    left join lateral (
      select m.id, ${hasLeft('m')} as has_left
        from members m
       where m.workspace_id = $1
         and m.id = (select ${survivorOf('named')} from members named where named.workspace_id = $1 and named.id = asked.member_id)
         and ${isPerson('m')}
       union
      select m.id, false
        from team_members t
        join members m on m.workspace_id = t.workspace_id and m.id = t.member_id
       where t.workspace_id = $1 and t.team_id = asked.team_id and ${isPerson('m')} and not ${hasLeft('m')}) found on true
   order by asked.nth, found.id`;
