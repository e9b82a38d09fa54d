import { type Queryable, queryOne } from './database.ts';

export interface Standbys {
  /** Standby servers that are connected. */
  count: number;
  /** How far the slowest is behind; 0 without one. NaN if the role of the service may not see it (pg_read_all_stats). */
  lagSeconds: number;
}

/** Copies that a base backup makes are not standbys. They look like them to a role that may not see more (pg_read_all_stats). */
const isStandby = `state is distinct from 'backup' and application_name is distinct from 'pg_basebackup'`;

export function readStandbys(on: Queryable): Promise<Standbys> {
  return queryOne<Standbys>(
    on,
    `select count(*)::int as count,
            case when count(*) > 0 and not pg_has_role('pg_read_all_stats', 'member') then 'NaN'
                 else coalesce(max(extract(epoch from replay_lag)), 0)::float8 end as "lagSeconds"
       from pg_stat_replication
      where ${isStandby}`,
  );
}
