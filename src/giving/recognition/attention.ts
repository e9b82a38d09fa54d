import type { Attention } from '../../ground/contract/overview.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';

type Waiting = Pick<Attention, 'waitingShoutouts' | 'oldestWaiting'>;

/** Shoutouts that wait for approval, up to `most`, and the time of the oldest. */
export async function countWaiting(on: Queryable, workspaceId: number, most: number): Promise<Waiting> {
  const { waitingShoutouts, oldest } = await queryOne<{ waitingShoutouts: number; oldest: Date | null }>(
    on,
    `select count(*) as "waitingShoutouts", min(created_on) as oldest
       from (select created_on
               from activities
              where workspace_id = $1
                and status = 'PENDING'
                and type = 'SHOUTOUT'
              order by number
              limit $2::int) waiting`,
    [workspaceId, most],
  );
  return { waitingShoutouts, oldestWaiting: oldest?.toISOString() ?? null };
}
