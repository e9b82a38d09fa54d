import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { type ActivityReader, visibleTo } from './visibility.ts';

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

/** The number of the activity of a shoutout. One that the reader may not see does not exist for them; without a reader, every one does. */
export async function numberOfShoutout(
  on: Queryable,
  workspaceId: number,
  id: number,
  reader?: ActivityReader,
): Promise<number> {
  const seen = reader
    ? `join activities a on a.workspace_id = s.workspace_id and a.number = s.number and $3::bigint is not null and ${visibleTo(reader, 'a', '$3::bigint')}`
    : '';
  const found = await queryOptional<{ number: number }>(
    on,
    `select s.number from (select $2::bigint as id) asked ${joinById('asked.id')} ${seen}`,
    [workspaceId, id, ...(reader ? [reader.memberId] : [])],
  );
  if (!found) throw new Failure('missing', 'There is no shoutout with this id in this workspace.');
  return found.number;
}
