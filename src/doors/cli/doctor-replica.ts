import type { Config } from '../../ground/config/config.ts';
import { openDatabase, type Queryable, queryOne } from '../../ground/database/database.ts';
import { pools } from '../../ground/database/pools.ts';
import type { Finding } from './finding.ts';

const systemSql = `
  select (select system_identifier::text from pg_control_system()) as system, pg_is_in_recovery() as "isReplica",
         case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
              else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0) end::float8 as "lagSeconds"`;

interface Server {
  system: string;
  isReplica: boolean;
  lagSeconds: number;
}

/** Whether reports can read from the replica; nothing where none is set. */
export async function examineReplica(database: Queryable, { reportsDatabaseUrl: url }: Config): Promise<Finding[]> {
  if (url === null) return [];
  const check = 'replica';
  const options = { ...pools.commands, url, isReplica: true };
  const replica = openDatabase(options);
  try {
    const [here, there] = await Promise.all([
      queryOne<Server>(database, systemSql),
      queryOne<Server>(replica, systemSql),
    ]);
    if (!there.isReplica || there.system !== here.system) {
      const reason = there.isReplica ? 'it follows another cluster' : 'that server takes writes, as after a failover';
      const detail = `GIFTWIRE_REPORTS_DATABASE_URL is no replica of DATABASE_URL: ${reason}`;
      const advice = 'Name a standby there. Until then, reports read from DATABASE_URL.';
      return [{ check, ok: false, detail, advice }];
    }
    return [{ check, ok: true, detail: `${there.lagSeconds.toFixed(1)} s behind` }];
  } catch (error) {
    const reason = error instanceof Error ? ((error.cause as Error | undefined) ?? error).message : String(error);
    const advice = 'Make GIFTWIRE_REPORTS_DATABASE_URL reachable. Until then, reports read from DATABASE_URL.';
    return [{ check, ok: false, detail: reason, advice }];
  } finally {
    await replica.close();
  }
}
