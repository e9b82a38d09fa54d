import { randomUUID } from 'node:crypto';
import type { Actor } from '../../ground/contract/actor.ts';
import type { UndoableChange, UndoCounts, UndoKindName } from '../../ground/contract/undo.ts';
import { type Database, lookUpByKey, type Queryable, queryOptional } from '../../ground/database/database.ts';
import { isIntegrityViolation } from '../../ground/database/errors.ts';
import { Failure } from '../../ground/errors.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { audit } from '../workspaces/audit.ts';
import { removePieces } from '../workspaces/each.ts';
import { inWorkspace } from '../workspaces/lock.ts';

/** For how long a change can be undone. */
export const undoHours = 24;

/** The most changes that the list has, the latest first. */
const mostListed = 100;

/** How a kind of change is undone. The module that makes the change declares it, and undos.ts lists all of them. */
export interface UndoKind<Detail = unknown> {
  kind: UndoKindName;
  /** What the audit log calls it. */
  action: AuditAction;
  /** The scopes that the change needs, and so undoing it. */
  scopesOf(detail: Detail): readonly string[];
  /** The names of what was changed. */
  readNames(on: Queryable, workspaceId: number, ids: readonly number[]): Promise<{ id: number; name: string | null }[]>;
  /** Undoes it, under the workspace's lock. Throws a conflict where the data was changed since. */
  undo(tx: Queryable, change: RecordedChange<Detail>): Promise<void>;
}

export interface RecordedChange<Detail> {
  workspaceId: number;
  id: string;
  subjectId: number | null;
  /** How many rows of undo_members were recorded. */
  people: number;
  detail: Detail;
  at: Date;
}

interface NewUndo {
  kind: UndoKindName;
  /** Absent: a new id. */
  id?: string;
  subjectId: number | null;
  detail?: object;
  /** The change goes on: `closeUndo` says when it has ended. */
  isOpen?: true;
}

/** Records that a change can be undone, in the transaction that makes it. `detail` has ids and words from fixed lists, and no names. */
export async function recordUndo(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  { kind, id = randomUUID(), subjectId, detail = {}, isOpen }: NewUndo,
): Promise<string> {
  await tx.query(
    `insert into undos (workspace_id, id, kind, subject_id, actor, actor_id, actor_name, detail, at, expires_at, ready_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now(), now() + make_interval(hours => $9), case when not $10 then now() end)`,
    [workspaceId, id, kind, subjectId, actor.is, actor.id, actor.name, detail, undoHours, isOpen ?? false],
  );
  return id;
}

/** A change that is recorded goes on. It cannot be undone until it is closed. Fails if it was undone meanwhile. */
export async function continueUndo(tx: Queryable, workspaceId: number, id: string): Promise<void> {
  const open = await tx.query(
    'update undos set ready_at = null where workspace_id = $1 and id = $2 and undone_at is null returning id',
    [workspaceId, id],
  );
  if (open.length === 0)
    throw new Failure('conflict', 'This import was undone before it had ended: import the file again.');
}

/** The change has ended: from now on it can be undone. An import that went on has further counts. */
export async function closeUndo(
  tx: Queryable,
  workspaceId: number,
  id: string,
  { people, counts = {} }: { people: number; counts?: object },
): Promise<void> {
  await tx.query(
    `update undos u
        set people = $3, ready_at = now(), at = now(), expires_at = now() + make_interval(hours => $5),
            counts = u.counts || (select coalesce(jsonb_object_agg(key, value::int + coalesce((u.counts ->> key)::int, 0)), '{}')
                                    from jsonb_each_text($4::jsonb))
      where workspace_id = $1
        and id = $2
        and undone_at is null`,
    [workspaceId, id, people, counts, undoHours],
  );
}

/** Notes ids that are needed to undo a change, beside those that are noted. */
export async function noteForUndo(
  tx: Queryable,
  workspaceId: number,
  id: string,
  lists: Readonly<Record<string, readonly number[]>>,
): Promise<void> {
  await tx.query(
    `update undos u
        set detail = u.detail || (select jsonb_object_agg(key, coalesce(u.detail -> key, '[]') || value) from jsonb_each($3::jsonb))
      where workspace_id = $1
        and id = $2`,
    [workspaceId, id, JSON.stringify(lists)],
  );
}

/** Whether the same was done to the same subject since, and can still be undone. */
export async function wasDoneAgain(
  tx: Queryable,
  { workspaceId, id }: Pick<RecordedChange<unknown>, 'workspaceId' | 'id'>,
): Promise<boolean> {
  const later = await tx.query(
    `select
       from undos this
       join undos later on later.workspace_id = this.workspace_id and later.kind = this.kind and later.subject_id = this.subject_id
      where this.workspace_id = $1
        and this.id = $2
        and (later.at, later.id) > (this.at, this.id)
        and later.undone_at is null
        and later.expires_at > now()
      limit 1`,
    [workspaceId, id],
  );
  return later.length > 0;
}

/** A change that was recorded cannot be undone after all. */
export async function dropUndo(tx: Queryable, workspaceId: number, id: string): Promise<void> {
  await tx.query('delete from undos where workspace_id = $1 and id = $2', [workspaceId, id]);
}

interface Row {
  id: string;
  kind: UndoKindName;
  subjectId: number | null;
  counts: object;
  people: number;
  detail: unknown;
  by: Actor;
  at: Date;
  expiresAt: Date;
  undoneAt: Date | null;
  isReady: boolean;
  isExpired: boolean;
}

const columns = `
  id, kind, subject_id as "subjectId", counts, people, detail,
  json_build_object('is', actor, 'id', actor_id, 'name', actor_name) as by,
  at, expires_at as "expiresAt", undone_at as "undoneAt", ready_at is not null as "isReady", expires_at <= now() as "isExpired"`;

/** Whether the caller has all of these scopes. */
export type Allows = (scopes: readonly string[]) => boolean;

/** What a caller can still undo, the latest first. */
export async function listUndos(
  on: Queryable,
  kinds: readonly UndoKind[],
  workspaceId: number,
  allows: Allows,
): Promise<UndoableChange[]> {
  const rows = await on.query<Row>(
    `select ${columns}
       from undos
      where workspace_id = $1
        and expires_at > now()
        and ready_at is not null
        and undone_at is null
      order by at desc, id
      limit $2`,
    [workspaceId, mostListed],
  );
  const allowed = rows.filter((row) => allows(kindOf(kinds, row).scopesOf(row.detail)));
  const names = new Map<string, string | null>();
  for (const [kind, some] of Map.groupBy(allowed, (row) => kindOf(kinds, row))) {
    const ids = some.flatMap(({ subjectId }) => subjectId ?? []);
    if (ids.length === 0) continue;
    for (const { id, name } of await kind.readNames(on, workspaceId, ids)) names.set(`${kind.kind} ${id}`, name);
  }
  return allowed.map((row) => shown(row, names.get(`${row.kind} ${row.subjectId}`) ?? null));
}

function kindOf(kinds: readonly UndoKind[], { kind }: Pick<Row, 'kind'>): UndoKind {
  return kinds.find((one) => one.kind === kind) as UndoKind;
}

/** Undoes a change completely, once. What is undone has its entry in the audit log, and the events of the change in the other direction. */
export async function undoChange(
  database: Database,
  kinds: readonly UndoKind[],
  { workspaceId, id, actor, allows }: { workspaceId: number; id: string; actor: Actor; allows: Allows },
): Promise<UndoableChange> {
  try {
    return await inWorkspace(database, workspaceId, async (tx) => {
      await lookUpByKey(tx);
      const row = await queryOptional<Row>(tx, `select ${columns} from undos where workspace_id = $1 and id = $2`, [
        workspaceId,
        id,
      ]);
      if (!row) throw missing();
      const kind = kindOf(kinds, row);
      if (!allows(kind.scopesOf(row.detail)))
        throw new Failure('forbidden', 'You cannot undo a change that you may not make.');
      const obstacle = obstacleOf(row);
      if (obstacle) throw new Failure('conflict', obstacle);
      const [subject] = row.subjectId === null ? [] : await kind.readNames(tx, workspaceId, [row.subjectId]);
      await kind.undo(tx, { ...row, workspaceId });
      const undone = await tx.query<{ at: Date }>(
        `update undos set undone_at = now(), detail = '{}' where workspace_id = $1 and id = $2 returning undone_at as at`,
        [workspaceId, id],
      );
      await audit(tx, {
        workspaceId,
        actor,
        action: kind.action,
        subject: { id: row.subjectId, name: subject?.name ?? null },
        detail: row.counts as Record<string, number>,
      });
      return shown({ ...row, undoneAt: undone[0]?.at ?? null }, subject?.name ?? null);
    });
  } catch (error) {
    // A key or a reference of something that was made since.
    if (isIntegrityViolation(error)) throw new Failure('conflict', usedSince, { cause: error });
    throw error;
  }
}

const usedSince =
  'This cannot be undone: since then, something has come to depend on it, for example a person who uses the same address, ' +
  'reports to a person whom it added, or has signed in.';

function obstacleOf({ undoneAt, isReady, isExpired }: Row): string | null {
  if (undoneAt) return 'This was undone already.';
  if (isExpired) return `This can no longer be undone: it was possible for ${undoHours} hours.`;
  return isReady ? null : 'This import has not ended: wait until it has.';
}

function missing(): Failure {
  return new Failure('missing', 'There is no change with this id that can be undone in this workspace.');
}

function shown({ id, kind, subjectId, counts, by, at, expiresAt, undoneAt }: Row, name: string | null): UndoableChange {
  return {
    id,
    kind,
    subjectId,
    subjectName: name,
    counts: Object.keys(counts).length > 0 ? (counts as UndoCounts) : null,
    by,
    at: at.toISOString(),
    expiresAt: expiresAt.toISOString(),
    undoneAt: undoneAt?.toISOString() ?? null,
  };
}

/** An import has up to 10,000 people, whose rows go with it. */
const pieceRows = 1;

/** Removes expired records. Returns how many; 0 when none is left. */
export function removeExpiredUndos(database: Database): Promise<number> {
  return removePieces(database, dueSql, removeSql);
}

const dueSql = `
  select w.id as "workspaceId"
    from workspaces w
   where exists (select from undos u where u.workspace_id = w.id and u.expires_at < now())`;

const removeSql = `
  delete from undos u
   using (select id from undos where workspace_id = $1 and expires_at < now() order by expires_at limit ${pieceRows}) old
   where u.workspace_id = $1
     and u.id = old.id
  returning u.id`;
