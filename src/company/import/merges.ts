import type { Queryable } from '../../ground/database/database.ts';
import { survivorOf } from '../directory/who.ts';
import type { RowClaims } from './claims.ts';
import type { FilePerson } from './people.ts';

/**
 * Records may be merged between two batches: people whose record was merged get the id of the surviving record. The caller
 * holds the workspace's lock, so that no merge happens until its transaction ends.
 */
export async function followMerges(tx: Queryable, claims: RowClaims, people: Iterable<FilePerson>): Promise<void> {
  const asked = [...people].filter(({ id }) => id > 0);
  if (asked.length === 0) return;
  const rows = await tx.query<{ id: number; survivor: number }>(
    `select m.id, ${survivorOf('m')} as survivor
       from members m
      where m.workspace_id = $1
        and m.id = any($2::bigint[])`,
    [claims.workspaceId, [...new Set(asked.map(({ id }) => id))]],
  );
  const survivors = new Map(rows.map(({ id, survivor }) => [id, survivor]));
  for (const person of asked) {
    const survivor = survivors.get(person.id) ?? person.id;
    if (survivor !== person.id) person.id = survivor;
  }
}

/** Whether the file has a row for the surviving record itself, which takes precedence over that of a merged record. */
export function isOverruled({ people }: RowClaims, person: FilePerson): boolean {
  return (people.byId(person.id) ?? person).nth !== person.nth;
}
