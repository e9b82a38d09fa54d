import pg from 'pg';
import { historyBase, historyId } from './history-sql.ts';

/** What tells a database from a copy or an earlier state of it. A part that is not known is null. */
export interface DatabaseIdentity {
  systemIdentifier: string | null;
  timeline: string | null;
  databaseOid: string | null;
  /** Of the table `histories`; null before the first migration. */
  tableOid: string | null;
  /** Of an embedded PostgreSQL: what identifies its data folder. */
  storage: string | null;
}

/** What a session says of its database. */
export interface SessionState extends Omit<DatabaseIdentity, 'storage'> {
  /** How far the server has written its log (WAL); null where the role may not ask. */
  walBytes: number | null;
  isStandby: boolean;
  /** False for a role without rights to the tables: it is rejected elsewhere, with what to do. */
  hasRights: boolean;
  /** False while a restore is under way: keys come after all rows and sequences. */
  isComplete: boolean;
  /** Of the current history; null if it was not asked for, or there is no table. */
  historyId: string | null;
  /** Whether a sequence would give ids of an earlier history: a restore has set it after the history had started. */
  isSetBack: boolean;
}

const oidColumns = `
  pg_is_in_recovery()                                                            as "isStandby",
  (select oid::text from pg_database where datname = current_database())         as "databaseOid",
  to_regclass('histories')::oid::text                                            as "tableOid",
  coalesce(has_table_privilege(to_regclass('histories'), 'select'), false)       as "hasRights",
  exists (select from pg_constraint
           where conrelid = to_regclass('histories') and contype = 'p')          as "isComplete"`;

export const walPosition = `(pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8`;

const walColumns = `
  (select system_identifier::text from pg_control_system())                      as "systemIdentifier",
  case when not pg_is_in_recovery()
       then left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) end             as timeline,
  case when not pg_is_in_recovery()
       then ${walPosition} end                                                   as "walBytes"`;

export const laggingSequences = (base: string) => `
  pg_sequences
   where schemaname = current_schema()
     and data_type = 'bigint'::regtype
     and coalesce(last_value, 0) < ${base}`;

export const isSetBack = `exists (select from ${laggingSequences(historyBase)})`;

/** The columns of a SessionState. A few hosted servers hide their log: there the oids have to do. */
function stateColumns({ withWal, withHistory }: { withWal: boolean; withHistory: boolean }): string {
  return [
    oidColumns,
    withWal ? walColumns : 'null::text as "systemIdentifier", null::text as timeline, null::float8 as "walBytes"',
    `${withHistory ? historyId : 'null::uuid'} as "historyId", ${withHistory ? isSetBack : 'false'} as "isSetBack"`,
  ].join(', ');
}

/** The codes of errors that say that a role may not call a function, or that the server lacks it. */
const hiddenCodes = ['42501', '42883', '0A000'];
const noTable = '42P01';

/** Makes the settings of a new session, and reads what tells its database from others. */
export async function readSessionState(
  client: pg.ClientBase,
  settings: string,
  withHistory: boolean,
): Promise<SessionState> {
  const ask = async (asked: Parameters<typeof stateColumns>[0]): Promise<SessionState> => {
    try {
      return (await client.query(`${settings}, ${stateColumns(asked)}`)).rows[0] as SessionState;
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
      const isHidden = hiddenCodes.includes(code);
      if (isHidden && asked.withWal) return ask({ ...asked, withWal: false });
      if (asked.withHistory && (isHidden || code === noTable)) return ask({ ...asked, withHistory: false });
      throw error;
    }
  };
  return ask({ withWal: true, withHistory });
}
