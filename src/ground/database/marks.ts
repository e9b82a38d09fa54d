import type pg from 'pg';
import { Failure } from '../errors.ts';

/**
 * Marks of a database on which no node may serve. They are rows of the table `migrations`: every version of Giftwire, this one and those
 * before it, stops on a database with a migration that it does not know and cannot serve beside.
 */
const moved = 'moved to ';
const incomplete = 'incomplete copy of another database';

export async function markAsMoved(client: pg.ClientBase, place: string): Promise<void> {
  await mark(client, `${moved}${place.slice(0, 200)} on ${new Date().toISOString().slice(0, 16)}Z`);
}

export async function markAsIncomplete(client: pg.ClientBase): Promise<void> {
  await mark(client, incomplete);
}

async function mark(client: pg.ClientBase, name: string): Promise<void> {
  await client.query('delete from migrations where name = $1', [name]);
  await client.query('insert into migrations (name, run_on) values ($1, now())', [name]);
}

export async function removeMarks(on: { query(sql: string, values: string[]): Promise<unknown> }): Promise<void> {
  await on.query('delete from migrations where starts_with(name, $1) or name = $2', [moved, incomplete]);
}

export function isIncomplete(migrations: readonly string[]): boolean {
  return migrations.includes(incomplete);
}

/** Where the database was moved to, and when; null if it was not. */
export function movedTo(migrations: readonly string[]): string | null {
  return migrations.find((name) => name.startsWith(moved))?.slice(moved.length) ?? null;
}

export function isMark(migration: string): boolean {
  return migration === incomplete || migration.startsWith(moved);
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
  if (isIncomplete(migrations))
    return new Failure(
      'setup',
      'This database is an incomplete copy: run "giftwire database move" again where it is copied from, or drop this one.',
    );
  return null;
}
