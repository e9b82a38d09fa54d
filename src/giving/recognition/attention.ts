import type { Attention } from '../../ground/contract/overview.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { isFirst } from './posts.ts';
import { type ActivityReader, visibleTo } from './visibility.ts';

type Waiting = Pick<Attention, 'waitingShoutouts' | 'oldestWaiting'>;

/** Shoutouts that wait for approval and that the reader may see, up to `most`, and the time of the oldest. */
export async function countWaiting(on: Queryable, reader: ActivityReader, most: number): Promise<Waiting> {
  const { waitingShoutouts, oldest } = await queryOne<{ waitingShoutouts: number; oldest: Date | null }>(
    on,
    `select count(*) as "waitingShoutouts", min(created_on) as oldest
       from (select created_on
               from activities a
              where workspace_id = $1
                and status = 'PENDING'
                and type = 'SHOUTOUT'
                and ${isFirst('a')}
                and $3::bigint is not null and ${visibleTo(reader, 'a', '$3::bigint')}
              order by number
              limit $2::int) waiting`,
    [reader.workspaceId, most, reader.memberId],
  );
  return { waitingShoutouts, oldestWaiting: oldest?.toISOString() ?? null };
}
