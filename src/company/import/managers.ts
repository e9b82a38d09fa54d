import { arrayText } from '../../ground/database/copy.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { addressKey } from '../../ground/values/email.ts';
import { readId } from '../../ground/values/id.ts';
import { identify } from '../directory/identify.ts';
import { findLoops } from '../directory/manager-loops.ts';
import { setManagers } from '../directory/managers.ts';
import { memberByEmail, memberById, memberByNumber } from '../directory/who.ts';
import { claimedHolder, emailKey, numberKey, type RowClaims } from './claims.ts';
import { managerKeys } from './manager-keys.ts';
import { findByNames, isOnlyName, type UnknownName } from './manager-names.ts';
import { followMerges, isOverruled } from './merges.ts';
import type { OpenManager } from './open-rows.ts';
import type { FilePerson } from './people.ts';

/** The person of an earlier row of the file whom this text names. */
export function toldBy({ people, recalled }: RowClaims, manager: string): FilePerson | undefined {
  for (const key of managerKeys(manager)) {
    const person = people.byEmail(addressKey(key)) ?? people.byNumber(key) ?? recalled.get(key);
    if (person) return person;
  }
  return undefined;
}

/**
 * Prepares `toldBy` for these managers: finds those who are people of written batches, or, in a dry run, follows merges of the others.
 * Former addresses and logins do not count: a later row may be about the person who has them as their address.
 */
export async function recallManagers(tx: Queryable, claims: RowClaims, managers: readonly string[]): Promise<void> {
  if (claims.isDryRun)
    return followMerges(
      tx,
      claims,
      managers.flatMap((manager) => toldBy(claims, manager) ?? []),
    );
  const keys = [...new Set(managers.flatMap(managerKeys))];
  const found = keys.length === 0 ? [] : await tx.query<Recalled>(recallSql, [claims.workspaceId, arrayText(keys)]);
  claims.recalled = new Map(
    found.flatMap(({ key, id }) => {
      const person = id === null ? undefined : claims.people.byId(id);
      return person ? [[key, person] as const] : [];
    }),
  );
}

interface Recalled {
  key: string;
  id: number | null;
}

// One look-up for most keys: a text without an at sign is no address, and one that is an address is no number.
const recallSql = `
  select asked.key,
         coalesce(case when asked.key like '%@%' then ${memberByEmail('$1::bigint', 'asked.key')} end,
                  ${memberByNumber('$1::bigint', 'asked.key')}) as id
    from unnest($2::text[]) as asked (key)`;

type FoundManager = number | string | null | UnknownName;

/**
 * Identifies the managers after all rows were read: by what identifies a person, else by a name that one person has. Returns for each an
 * id, or the name of no one or of several people, or a text that says why it was not found, or null if the row does not count because
 * its person was merged with another of the file. The caller holds the workspace's lock.
 */
export async function identifyManagers(
  tx: Queryable,
  claims: RowClaims,
  open: readonly OpenManager[],
): Promise<FoundManager[]> {
  await recallManagers(
    tx,
    claims,
    open.map(({ manager }) => manager),
  );
  await followMerges(
    tx,
    claims,
    open.map(({ person }) => person),
  );
  const told = open.map(({ manager }) => toldBy(claims, manager));
  const names = [...new Set(open.filter((_, nth) => !told[nth]).map(({ manager }) => manager))];
  const known = names.length === 0 ? new Map<string, number>() : await identifyInDirectory(tx, claims, names);
  const byName = await findByNames(
    tx,
    claims,
    names.filter((name) => !known.has(name) && isOnlyName(name)),
  );
  return open.map(({ manager, person, currentManagerId }, nth) => {
    if (isOverruled(claims, person)) return null;
    const id = told[nth]?.id ?? known.get(manager) ?? byName.get(manager);
    if (typeof id === 'object') return id;
    if (id === undefined) return `the manager "${manager}" is not known: the rest of the row was taken`;
    if (id === person.id && id !== currentManagerId)
      return `the manager "${manager}" is the person of this row: the rest of it was taken`;
    return id;
  });
}

export function reportsToThem({ manager }: OpenManager): string {
  return `the manager "${manager}" reports to the person of this row: the rest of it was taken`;
}

/** A dry run writes nothing, and keeps the managers that it would write. */
export function noteManager({ isDryRun }: RowClaims, person: FilePerson, managerId: number | null): void {
  if (isDryRun) person.managerId = managerId;
}

/** Saves the managers who were found. Returns which rows it left out, because their manager would close a loop. */
export async function saveManagers(
  tx: Queryable,
  claims: RowClaims,
  open: readonly OpenManager[],
  found: readonly FoundManager[],
): Promise<Set<OpenManager>> {
  const { workspaceId, people, isDryRun } = claims;
  const changes = open.flatMap((row, nth) => {
    const managerId = found[nth];
    const isNew = typeof managerId === 'number' && managerId !== row.currentManagerId;
    return isNew ? [{ row, id: row.person.id, managerId }] : [];
  });
  const loops = await findLoops(tx, workspaceId, changes, isDryRun ? (id) => people.byId(id)?.managerId : undefined);
  const saved = changes.filter(({ id }) => !loops.has(id));
  for (const { row, managerId } of saved) noteManager(claims, row.person, managerId);
  if (saved.length > 0 && !isDryRun) await setManagers(tx, workspaceId, saved);
  return new Set(changes.flatMap(({ row, id }) => (loops.has(id) ? [row] : [])));
}

/** Managers who are not in the file: by email address, employee number or id, in this order. */
async function identifyInDirectory(
  tx: Queryable,
  claims: RowClaims,
  names: readonly string[],
): Promise<Map<string, number>> {
  const { workspaceId } = claims;
  const keys = [...new Set(names.flatMap(managerKeys))];
  const identified = await identify(
    tx,
    workspaceId,
    keys.map((key) => ({ email: key, employeeNumber: key })),
  );
  const ids = await tx.query<{ asked: number; id: number | null }>(
    `select asked, ${memberById('$1', 'asked')} as id from unnest($2::bigint[]) as asked`,
    [workspaceId, names.flatMap((name) => readId(name) ?? [])],
  );
  const byId = new Map(ids.flatMap(({ asked, id }) => (id === null ? [] : [[String(asked), id] as const])));
  const byKey = new Map(
    keys.flatMap((key, nth) => {
      const id =
        claimedHolder(claims, emailKey(key), identified[nth]?.byEmail) ??
        claimedHolder(claims, numberKey(key), identified[nth]?.byEmployeeNumber);
      return id === null ? [] : [[key, id] as const];
    }),
  );
  return new Map(
    names.flatMap((name) => {
      const key = managerKeys(name).find((one) => byKey.has(one));
      const id = key === undefined ? byId.get(name) : byKey.get(key);
      return id === undefined ? [] : [[name, id] as const];
    }),
  );
}
