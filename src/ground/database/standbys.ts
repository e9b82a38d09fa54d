import { type Queryable, queryOne } from './database.ts';

export interface Standbys {
  /** Standby servers that are connected. */
  count: number;
  /** How far the slowest is behind; 0 without one. NaN if the role of the service may not see it (pg_read_all_stats). */
  lagSeconds: number;
}

export function readStandbys(on: Queryable): Promise<Standbys> {
  return queryOne<Standbys>(
    on,
    `select count(*)::int as count,
            case when count(*) > 0 and not pg_has_role('pg_read_all_stats', 'member') then 'NaN'
                 else coalesce(max(extract(epoch from replay_lag)), 0)::float8 end as "lagSeconds"
       from pg_stat_replication`,
  );
}
