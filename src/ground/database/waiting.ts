import type pg from 'pg';
import { Failure } from '../errors.ts';
import { pools } from './pools.ts';

/** A session that holds tables of Giftwire, and so may be what a migration waits for. */
export interface Holder {
  pid: number;
  name: string;
  /** Whether it writes a backup. It ends by itself, and is what an upgrade goes back to: a migration waits for it. */
  isBackup: boolean;
  /** Null: the role may not see it. */
  seconds: number | null;
}

const backups = [`giftwire ${pools.backup.name}`, 'pg_dump'];

/** A backup if there is one, else the session whose transaction has been open longest. */
export async function findHolder(client: pg.ClientBase): Promise<Holder | null> {
  const { rows } = await client.query<Holder>(
    `select pid, application_name as name, application_name = any ($1) as "isBackup",
            extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
       from pg_stat_activity a
      where datname = current_database() and pid <> pg_backend_pid()
        and exists (select from pg_locks l join pg_class c on c.oid = l.relation
                     where l.pid = a.pid and l.granted and c.relkind in ('r', 'p')
                       and c.relnamespace = current_schema()::regnamespace)
      order by "isBackup" desc, xact_start
      limit 1`,
    [backups],
  );
  return rows[0] ?? null;
}

export function describeWait({ isBackup, ...holder }: Holder): string {
  return isBackup
    ? `The migration waits until a backup is written (${describe(holder)}). Nodes of the release before go on serving.`
    : `The migration waits for another transaction (${describe(holder)}), and tries again every second.`;
}

export function waitedTooLong(holder: Holder | null, cause: unknown): Failure {
  return new Failure(
    'setup',
    `The migration has waited for five minutes for a table that another transaction holds${holder ? ` (${describe(holder)})` : ''}: ` +
      'end that transaction (pg_stat_activity lists those that have been open longest), and start again. What serves now goes on serving.',
    { cause },
  );
}

function describe({ pid, name, seconds }: Pick<Holder, 'pid' | 'name' | 'seconds'>): string {
  const time = seconds === null ? '' : `, open for ${Math.round(seconds)} s`;
  return `"${name}", process ${pid}${time}`;
}
