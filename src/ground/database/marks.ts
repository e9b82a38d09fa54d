import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { Failure } from '../errors.ts';

/**
 * Marks of a database on which no node may serve. They are rows of the table `migrations`: every version of Giftwire, this one and those
 * before it, stops on a database with a migration that it does not know and cannot serve beside.
 */
const moved = 'moved to ';
const incomplete = 'incomplete copy of another database';

/** Behind both marks of a move, so that a copy resumes only with the source that the same move has closed. */
const idOfMove = /, move ([0-9a-f]{16})$/;

export function newMoveId(): string {
  return randomBytes(8).toString('hex');
}

export async function markAsMoved(client: pg.ClientBase, place: string, moveId: string): Promise<void> {
  await mark(client, `${moved}${place.slice(0, 200)} on ${new Date().toISOString().slice(0, 16)}Z, move ${moveId}`);
}

export async function markAsIncomplete(client: pg.ClientBase, moveId: string): Promise<void> {
  await mark(client, `${incomplete}, move ${moveId}`);
}

async function mark(client: pg.ClientBase, name: string): Promise<void> {
  await removeMarks(client);
  await client.query('insert into migrations (name, run_on) values ($1, now())', [name]);
}

export async function removeMarks(on: { query(sql: string, values: string[]): Promise<unknown> }): Promise<void> {
  await on.query('delete from migrations where starts_with(name, $1) or starts_with(name, $2)', [moved, incomplete]);
}

/** The move that has left this copy incomplete; null if it is not such a copy. */
export function incompleteMove(migrations: readonly string[]): string | null {
  const name = migrations.find((one) => one.startsWith(incomplete));
  return name === undefined ? null : (idOfMove.exec(name)?.[1] ?? '');
}

/** Whether this move has closed the database. */
export function isClosedBy(migration: string, moveId: string): boolean {
  return migration.startsWith(moved) && idOfMove.exec(migration)?.[1] === moveId;
}

/** Where the database was moved to, and when; null if it was not. */
export function movedTo(migrations: readonly string[]): string | null {
  return (
    migrations
      .find((name) => name.startsWith(moved))
      ?.slice(moved.length)
      .replace(idOfMove, '') ?? null
  );
}

export function isMark(migration: string): boolean {
  return migration.startsWith(incomplete) || migration.startsWith(moved);
}

/** Why nothing may serve on a database with these migrations, and what to do; null if none is a mark. */
export function explainMarks(migrations: readonly string[]): Failure | null {
  const place = movedTo(migrations);
  if (place !== null)
    return new Failure(
      'setup',
      `This database was moved to ${place}: set DATABASE_URL to that database. To use this one again, without what happened since, ` +
        'stop all nodes and run "giftwire database reopen".',
    );
  if (incompleteMove(migrations) !== null)
    return new Failure(
      'setup',
      'This database is an incomplete copy: run "giftwire database move" again where it is copied from, or drop this one.',
    );
  return null;
}
