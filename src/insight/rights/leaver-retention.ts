import { hasLeft, isPerson, leftOn } from '../../company/directory/who.ts';
import type { OwnRetention, Removed } from '../../company/workspaces/retention.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { requestByAge } from './erasures.ts';
import { obstaclesOf } from './obstacles.ts';

/** An erasure that was stopped is asked for again after these days: a legal hold keeps a person for longer. */
const againAfter = `interval '30 days'`;

/** How many records a batch looks at: it ends at the first person who is due. */
const batchRows = 2_000;

/** Holds for people `leaver` who left before the moment $2, and whose erasure was not asked for. `m` is an alias in `obstaclesOf`. */
const isDue = `
  ${isPerson('leaver')} and ${hasLeft('leaver')}
  and ${leftOn('leaver')} < $2::timestamptz::date
  and not exists (select
                    from erasures e
                   where e.workspace_id = $1
                     and e.member_id = leaver.id
                     and not (e.state = 'STOPPED' and e.requested_at < now() - ${againAfter}))`;

/** Anonymizes people a number of days after they left, with an erasure that Giftwire asks for: it begins a day later, and can be stopped. */
export const leaverRetention: OwnRetention = {
  kind: 'leavers',
  usualDays: null,
  leastDays: 30,
  what: 'everything that identifies people who have left, as an erasure does. Who has something open, or is on legal hold, waits',
  why: 'payroll, tax and reports need them for some time',
  countDue: async (on, workspaceId, before) =>
    (await queryOne<{ due: number }>(on, countSql, [workspaceId, before])).due,
  removeDue,
};

const countSql = `
  select count(*)::int as due
    from members leaver
   where leaver.workspace_id = $1
     and ${isDue}
     and not exists (${obstaclesOf('$1', 'leaver.id')})`;

async function removeDue(tx: Queryable, workspaceId: number, before: string, after: string | null): Promise<Removed> {
  const { due, seen, last } = await queryOne<{ due: number | null; seen: number; last: string | null }>(tx, nextSql, [
    workspaceId,
    before,
    after ?? '0',
  ]);
  if (due === null) return { removed: 0, next: seen < batchRows ? null : last, hasMore: false };
  return { removed: (await requestByAge(tx, workspaceId, due)) ? 1 : 0, next: String(due), hasMore: false };
}

const nextSql = `
  with seen as materialized (
    select leaver.id, (${isDue}) as is_due
      from members leaver
     where leaver.workspace_id = $1
       and leaver.id > $3::bigint
     order by leaver.id
     limit ${batchRows}
  )
  select (select min(id) from seen where is_due) as due,
         (select count(*)::int from seen)        as seen,
         (select max(id)::text from seen)        as last`;
