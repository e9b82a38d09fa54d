import type { Queryable } from '../database/database.ts';
import type { Claims, Person } from './claims.ts';

/**
 * Records may be merged between two batches. Those that were lead to the one that remains from here on. The caller holds
 * the workspace's lock, so that this is true until its transaction ends.
 */
export async function followMerges(tx: Queryable, claims: Claims, people: Iterable<Person>): Promise<void> {
  const asked = [...new Set(people)].filter(({ id }) => id > 0);
  if (asked.length === 0) return;
  const rows = await tx.query<{ id: number; into: number }>(
    `select id, merged_into as into
       from members
      where workspace_id = $1
        and id = any($2::bigint[])
        and merged_into is not null`,
    [claims.workspaceId, asked.map(({ id }) => id)],
  );
  const remaining = new Map(rows.map(({ id, into }) => [id, into]));
  for (const person of asked) {
    const into = remaining.get(person.id);
    if (into === undefined) continue;
    person.id = into;
    if (!claims.people.has(into)) claims.people.set(into, person);
  }
}

/** Whether the file has a row of the remaining person's own, which counts more than that of a record merged into them. */
export function isOverruled({ people }: Claims, person: Person): boolean {
  return (people.get(person.id) ?? person) !== person;
}
