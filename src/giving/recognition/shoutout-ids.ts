import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';

/**
 * Callers know a shoutout by its number plus the base of the history in which it was given. Numbers of activities have no gaps, so a
 * number is given again after a restore; an id never is.
 */
export function shoutoutId(number: string, shoutout: string): string {
  return `(${number} + coalesce(${shoutout}.base, 0))`;
}

/** The join that finds shoutouts of the workspace $1, as `s`, by their ids. */
export function joinById(id: string): string {
  return `
    cross join histories h
     join shoutouts s on s.workspace_id = $1 and s.number = ${id} - h.base and s.base = h.base`;
}

/** The number of the activity of a shoutout. */
export async function numberOfShoutout(on: Queryable, workspaceId: number, id: number): Promise<number> {
  const found = await queryOptional<{ number: number }>(
    on,
    `select s.number from (select $2::bigint as id) asked ${joinById('asked.id')}`,
    [workspaceId, id],
  );
  if (!found) throw new Failure('missing', 'There is no shoutout with this id in this workspace.');
  return found.number;
}
