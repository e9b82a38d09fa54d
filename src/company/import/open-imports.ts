import type { Actor } from '../../ground/contract/actor.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { type MemberNote, movement } from '../directory/events.ts';
import { countKept } from '../directory/kept-people.ts';
import { appendEvents } from '../events/log.ts';
import { closeUndo, recordUndo } from '../undo/undo.ts';
import { audit } from '../workspaces/audit.ts';
import { inEachWorkspace } from '../workspaces/each.ts';
import { inWorkspace } from '../workspaces/lock.ts';
import type { Written } from './written.ts';

/** What an import has done. Those who left or returned are among those who changed. */
export interface ImportCounts {
  added: number;
  changed: number;
  left: number;
  returned: number;
}

/** Each batch is a separate transaction, so the entry in the audit log comes before the first one, and what will undo the import. */
export async function openImport(
  database: Database,
  actor: Actor,
  workspaceId: number,
  importId: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await recordUndo(tx, actor, workspaceId, { kind: 'MEMBER_IMPORT', id: importId, subjectId: null, isOpen: true });
    await audit(tx, { workspaceId, actor, action: 'members.imported' });
  });
}

/** Adds what a batch has done to the import's row, in the batch's transaction. An import has an event only by its row. */
export async function countBatch(
  tx: Queryable,
  workspaceId: number,
  importId: string,
  written: Written,
  notes: readonly MemberNote[],
): Promise<void> {
  if (notes.length === 0) return;
  await tx.query(countSql, [workspaceId, importId, JSON.stringify(countsOf(written, notes))]);
}

/** Called after the commit. */
export function keepWritten(written: Written, notes: readonly MemberNote[]): void {
  for (const { id, isAdded } of notes) written.keep(id, isAdded);
}

/** A member counts once, although several batches may write them. Those who are added count as nothing else. */
function countsOf(written: Written, notes: readonly MemberNote[]): ImportCounts {
  const first = notes.filter(({ id }) => written.how(id) === null);
  const added = first.filter(({ isAdded }) => isAdded).length;
  const known = notes.filter(({ id, isAdded }) => !isAdded && written.how(id) !== 'added');
  return { added, changed: first.length - added, ...movements(known) };
}

/** How many of these people left, and how many returned. */
export function movements(notes: readonly MemberNote[]): Pick<ImportCounts, 'left' | 'returned'> {
  return {
    left: notes.filter((one) => movement(one) === 'member.left').length,
    returned: notes.filter((one) => movement(one) === 'member.returned').length,
  };
}

interface Closing {
  workspaceId: number;
  importId: string;
  complete: boolean;
  /** Only if the import has done nothing for so long. */
  idleMinutes?: number;
}

/** Turns the row of an import into its event. An import that changed nothing has no row. */
export async function closeImport(database: Database, closing: Closing): Promise<void> {
  const { workspaceId, importId, complete, idleMinutes = null } = closing;
  await inWorkspace(database, workspaceId, async (tx, moment) => {
    const rows = await tx.query<{ counts: ImportCounts }>(closeSql, [workspaceId, importId, idleMinutes]);
    for (const { counts } of rows)
      await closeUndo(tx, workspaceId, importId, { people: await countKept(tx, workspaceId, importId), counts });
    await appendEvents(
      tx,
      workspaceId,
      moment,
      rows.map(({ counts }) => ({ type: 'members.imported', data: { importId, ...counts, complete } })),
    );
  });
}

const forgottenMinutes = 5;

/** Closes imports whose process was killed. Returns how many there were. */
export async function closeForgottenImports(database: Database, idleMinutes = forgottenMinutes): Promise<number> {
  const forgotten = await database.query<{ workspaceId: number; importId: string }>(forgottenSql, [idleMinutes]);
  await inEachWorkspace(forgotten, (one) => closeImport(database, { ...one, complete: false, idleMinutes }));
  return forgotten.length;
}

const countSql = `
  insert into open_imports as o (workspace_id, id, counts, changed_at)
  values ($1, $2, $3::jsonb, clock_timestamp())
      on conflict (workspace_id, id)
      do update set changed_at = excluded.changed_at,
                    counts     = (select jsonb_object_agg(key, value::int + (o.counts ->> key)::int)
                                    from jsonb_each_text(excluded.counts))`;

const closeSql = `
  delete from open_imports
   where workspace_id = $1
     and id = $2
     and ($3::int is null or changed_at <= clock_timestamp() - make_interval(mins => $3::int))
  returning counts`;

const forgottenSql = `
  select workspace_id as "workspaceId", id as "importId"
    from open_imports
   where changed_at <= clock_timestamp() - make_interval(mins => $1)
   order by changed_at`;
