import { survivorOf } from '../../company/directory/who.ts';
import { theService } from '../../company/workspaces/audit.ts';
import { lockWorkspace } from '../../company/workspaces/lock.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { movedReason } from '../../ground/database/history.ts';
import { Failure } from '../../ground/errors.ts';
import { type ErasedRecord, erasedFile, foreign, readErasedFile, readErasedList, recordKey } from './erased-list.ts';
import { noteBegun } from './erasures.ts';
import { erasePerson } from './person.ts';
import { runErasure } from './run.ts';

/** What came of a comparison of the list with the database. */
export interface Compared {
  /** People who were erased again. */
  erased: number;
  /** Listed records that belong to people who are not listed: they were separated from them after the backup. */
  unclear: number;
}

/** Erases the listed people who are there, with all that is left of them, and notes that the list was compared with this history. */
async function eraseAgain(database: Database, listed: readonly ErasedRecord[]): Promise<Compared> {
  const compared: Compared = { erased: 0, unclear: 0 };
  const keys = new Set(listed.map(recordKey));
  for (const [workspaceId, records] of Map.groupBy(listed, (record) => record.workspaceId)) {
    const ids = records.map(({ memberId }) => memberId);
    for (const { memberId, survivor } of await database.query<FoundRecord>(foundSql, [workspaceId, ids])) {
      if (survivor === memberId) {
        await erase(database, workspaceId, memberId);
        compared.erased++;
      } else if (!keys.has(recordKey({ workspaceId, memberId: survivor }))) compared.unclear++;
    }
  }
  while (compared.erased > 0 && (await runErasure(database)));
  await noteChecked(database);
  return compared;
}

interface FoundRecord {
  memberId: number;
  survivor: number;
}

const foundSql = `
  select m.id as "memberId", ${survivorOf('m')} as survivor
    from unnest($2::bigint[]) with ordinality as listed (id, nth)
    join members m on m.workspace_id = $1 and m.id = listed.id and m.erased_at is null
   order by listed.nth`;

/** What is open does not stop it: it ended in the time that was lost. */
function erase(database: Database, workspaceId: number, id: number): Promise<void> {
  return database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await noteBegun(tx, theService, workspaceId, id, await erasePerson(tx, workspaceId, id, { isAgain: true }));
  });
}

async function noteChecked(on: Queryable): Promise<void> {
  await on.query(
    `insert into erasure_checks (history_id, checked_at)
     select id, now() from histories
         on conflict do nothing`,
  );
}

/** Compares the database with a list, if it is of this installation. */
export async function applyErasedFile(database: Database, file: string): Promise<Compared> {
  const list = await readErasedFile(file);
  if (!list) throw new Failure('setup', `There is no file ${file}.`);
  const { installation } = await readErasedList(database);
  if (list.installation !== installation) throw foreign(file);
  return eraseAgain(database, list.erased);
}

/** An operator says that no person was erased after the backup. */
export function declareNoneErased(database: Database): Promise<Compared> {
  return eraseAgain(database, []);
}

/** Compares the database with the list beside the backups. Null: there is no folder, or no list in it. */
export async function applyErasedFolder(database: Database, folder: string | null): Promise<Compared | null> {
  const file = await findErasedFile(database, folder);
  return file === null ? null : applyErasedFile(database, file);
}

/** The file of the list in a folder. Null: there is no folder, or no list in it. */
async function findErasedFile(on: Queryable, folder: string | null): Promise<string | null> {
  if (folder === null) return null;
  const { installation } = await readErasedList(on);
  const file = erasedFile(folder, installation);
  return (await readErasedFile(file)) ? file : null;
}

/** A history that was not compared with the list. */
export interface UncheckedHistory {
  after: 'restore' | 'loss';
  /** The list that the service compares it with when it starts. Null: no such file was found. */
  file: string | null;
}

export async function readUnchecked(on: Queryable, folder: string | null): Promise<UncheckedHistory | null> {
  const after = await findUnchecked(on);
  return after && { after, file: await findErasedFile(on, folder) };
}

/**
 * Whether a history that may have lost something was not compared with the list: `restore` if the service must not serve before, `loss` if it may. `giftwire restore` leaves
 * its mark, the oid 0, in the history before.
 */
async function findUnchecked(on: Queryable): Promise<'restore' | 'loss' | null> {
  const [found] = await on.query<{ isRestore: boolean; isLoss: boolean }>(
    `select coalesce(bool_or(before.table_oid = '0' or reason = any($1) and exists (select from erasures where state in ('RUNNING', 'DONE'))), false) as "isRestore",
            count(*) > 0 as "isLoss"
       from histories h
      cross join lateral (select table_oid from histories earlier where earlier.base < h.base order by base desc limit 1) before
      where h.reason <> $2 and not exists (select from erasure_checks c where c.history_id = h.id)`,
    [restores, movedReason],
  );
  if (found?.isRestore) return 'restore';
  return found?.isLoss ? 'loss' : null;
}

/** Reasons of histories after which the database is an older copy. A failover at night must not stop the service. */
const restores = [
  'it is another PostgreSQL cluster',
  'the database was created again',
  'the tables were created again, as a restore does',
  'the data folder was copied',
  'an operator said that it was restored',
];

/**
 * Before the service serves: people who were erased after the backup of a restored database are erased again, from the list beside the backups. A
 * database that `giftwire restore` has filled is rejected without a list. Returns what the log should say; null: nothing.
 */
export async function checkErasures(database: Database, folder: string | null): Promise<string | null> {
  const unchecked = await findUnchecked(database);
  if (unchecked === null) return null;
  const compared = await applyErasedFolder(database, folder);
  if (compared)
    return compared.erased === 0
      ? null
      : `${compared.erased} people who had been erased were erased again: the database had gone back in time.`;
  if (unchecked === 'restore') throw new Failure('setup', unknown);
  await noteChecked(database);
  const { erased } = await readErasedList(database);
  return erased.length === 0
    ? null
    : 'The database went back in time. If people were erased in the time that it lost, erase them again: giftwire erasures apply.';
}

export const unknown =
  'This database was restored, and people may have been erased after its backup. Erase them again first: "giftwire erasures apply <list>", or "giftwire erasures apply --none" if no person was.';
