import type { Queryable } from '../../database/database.ts';
import { identify } from '../identify.ts';
import { type Claims, emailKey, holderOf, numberKey } from './claims.ts';
import type { OpenManager } from './plan.ts';

/** Who a manager is, once the whole file has been told: an id, or a text that says why there is none. */
export async function findManagers(
  tx: Queryable,
  workspaceId: number,
  claims: Claims,
  open: readonly OpenManager[],
): Promise<(number | string)[]> {
  const told = open.map(({ manager }) => claims.emails.get(manager.toLowerCase()) ?? claims.numbers.get(manager));
  const names = [...new Set(open.filter((_, nth) => !told[nth]).map(({ manager }) => manager))];
  const known = names.length === 0 ? new Map() : await findKnown(tx, workspaceId, claims, names);
  return open.map(({ manager, person, currentManagerId }, nth) => {
    const id: number | undefined = told[nth]?.id ?? known.get(manager);
    if (id === undefined) return `the manager "${manager}" is not known: the rest of the row was taken`;
    if (id === person.id && id !== currentManagerId)
      return `the manager "${manager}" is the person of this row: the rest of it was taken`;
    return id;
  });
}

/** Those of whom the file does not tell: by e-mail address, employee number or id, in this order. */
async function findKnown(
  tx: Queryable,
  workspaceId: number,
  claims: Claims,
  names: readonly string[],
): Promise<Map<string, number>> {
  const identified = await identify(
    tx,
    workspaceId,
    names.map((name) => ({ email: name, employeeNumber: name })),
  );
  const ids = await tx.query<{ asked: number; id: number }>(
    `select m.id as asked, coalesce(m.merged_into, m.id) as id
       from members m
      where m.workspace_id = $1
        and m.id = any($2::bigint[])
        and not m.is_integration`,
    [workspaceId, names.filter((name) => /^[1-9]\d{0,14}$/.test(name))],
  );
  const byId = new Map(ids.map(({ asked, id }) => [String(asked), id]));
  return new Map(
    names.flatMap((name, nth) => {
      const id =
        holderOf(claims, emailKey(name), identified[nth]?.byEmail) ??
        holderOf(claims, numberKey(name), identified[nth]?.byEmployeeNumber) ??
        byId.get(name);
      return id === undefined ? [] : [[name, id] as const];
    }),
  );
}
