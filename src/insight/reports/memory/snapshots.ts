import { randomUUID } from 'node:crypto';
import { type Queryable, queryOne, queryOptional } from '../../../ground/database/database.ts';
import { type Contents, format, pack, unpack } from './packed.ts';

/**
 * Companies in memory, as processes have stored them: a process that starts reads such a snapshot and the changes since, in place of all people
 * and activities. The tables are not logged: after a crash of PostgreSQL they are empty, and a company is read as a whole.
 */

const partBytes = 2 ** 20;
// Away from the numbers of other advisory locks.
const locks = 0x72_00_00_00_00_00;

/** Whether this transaction may store the workspace's snapshot. One process at a time may, so that others do not read the same. */
export async function lockSnapshot(tx: Queryable, workspaceId: number): Promise<boolean> {
  const sql = 'select pg_try_advisory_xact_lock($1::bigint + $2::bigint) as "isOurs"';
  return (await queryOne<{ isOurs: boolean }>(tx, sql, [locks, workspaceId])).isOurs;
}

export async function storeSnapshot(tx: Queryable, workspaceId: number, contents: Contents): Promise<void> {
  const bytes = pack(contents);
  const id = randomUUID();
  const parts = Math.ceil(bytes.length / partBytes);
  await tx.query('delete from report_snapshots where workspace_id = $1', [workspaceId]);
  await tx.query(
    'insert into report_snapshots (workspace_id, id, format, parts, read_at) values ($1, $2, $3, $4, now())',
    [workspaceId, id, format, parts],
  );
  for (let part = 0; part < parts; part++) {
    const data = bytes.subarray(part * partBytes, (part + 1) * partBytes);
    await tx.query(
      'insert into report_snapshot_parts (workspace_id, snapshot_id, part, data) values ($1, $2, $3, $4)',
      [workspaceId, id, part, data],
    );
  }
}

/** Null: nothing is stored that this version understands. It is read in parts, so that no other request waits. */
export async function loadSnapshot(on: Queryable, workspaceId: number): Promise<Contents | null> {
  const snapshot = await queryOptional<{ id: string; parts: number }>(
    on,
    'select id, parts from report_snapshots where workspace_id = $1 and format = $2',
    [workspaceId, format],
  );
  if (!snapshot) return null;
  const parts: Buffer[] = [];
  while (parts.length < snapshot.parts) {
    const part = await queryOptional<{ data: Buffer }>(
      on,
      'select data from report_snapshot_parts where workspace_id = $1 and snapshot_id = $2 and part = $3',
      [workspaceId, snapshot.id, parts.length],
    );
    if (!part) return null;
    parts.push(part.data);
  }
  return unpack(Buffer.concat(parts));
}

/** Whether reading a company as a whole takes so long that its snapshot is stored. */
export async function isLarge(on: Queryable, workspaceId: number, fromRows: number): Promise<boolean> {
  const row = await queryOptional<{ isLarge: boolean }>(
    on,
    `select c.total + coalesce((select sum(d.members + d.leavers) from recognition_days d where d.workspace_id = $1), 0) >= $2
            as "isLarge"
       from activity_counters c
      where c.workspace_id = $1`,
    [workspaceId, fromRows],
  );
  return row?.isLarge ?? false;
}

/** Notes that a report was read, at most once an hour: the next start reads these companies first. */
export async function noteRead(on: Queryable, workspaceId: number): Promise<void> {
  await on.query(
    `update report_snapshots
        set read_at = now()
      where workspace_id = $1
        and read_at < now() - interval '1 hour'`,
    [workspaceId],
  );
}

/** Removes the snapshots of companies whose reports were not read for a month. */
export async function removeOldSnapshots(on: Queryable): Promise<void> {
  await on.query(`delete from report_snapshots where read_at < now() - interval '30 days'`);
}

/** The workspaces with a snapshot, the one whose reports were read last first. */
export async function listRead(on: Queryable, most: number): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    'select workspace_id as id from report_snapshots order by read_at desc, workspace_id limit $1',
    [most],
  );
  return rows.map(({ id }) => id);
}
