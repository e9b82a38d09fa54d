import { arrayText } from '../../ground/database/copy.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { shownName } from '../directory/names.ts';
import { isHere, isPerson } from '../directory/who.ts';
import type { Namesake, RowClaims } from './claims.ts';
import { longestWithBrackets, managerKeys } from './manager-keys.ts';
import type { OpenManager } from './open-rows.ts';

/** The name of a manager that is not that of exactly one person. */
export interface UnknownName {
  name: string;
  /** How many people who are here have the name. */
  people: number;
}

/** Whether the text is a name and nothing else. Addresses, employee numbers and ids have no blanks, and an at sign or a digit. */
export function isOnlyName(manager: string): boolean {
  return managerKeys(manager).every((key) => /\s/.test(key) || !/[@\d]/.test(key));
}

/** A name as it is compared: `Lovelace, Ada (on leave)` is "ada lovelace". */
export function nameKey(name: string): string {
  if (name.length > longestWithBrackets) return '';
  const plain = name.replace(/[(<[][^()<>[\]]*[)>\]]/g, ' ');
  const [last = '', first = ''] = plain.split(',');
  return `${first} ${last}`.replace(/\s+/g, ' ').trim().toLowerCase();
}

/**
 * Finds all people who have the names of managers, in one pass over the directory: names have no index, because every other change of people
 * would pay for it. Only a hint for `findByNames`, which looks at each of them again with the workspace's lock.
 */
export async function findNamesakes(database: Database, claims: RowClaims): Promise<void> {
  const { workspaceId, names } = claims;
  const found = names.size === 0 ? [] : await database.query<Namesake>(passSql, [workspaceId, arrayText([...names])]);
  claims.named = Map.groupBy(found, ({ key }) => key);
  names.clear();
}

/** Keeps the names of managers for `findNamesakes`. */
export function keepNames({ names }: RowClaims, managers: readonly OpenManager[]): void {
  for (const { manager } of managers) if (isOnlyName(manager)) names.add(nameKey(manager));
}

/** The people who have these names, in the file and in the directory. The caller holds the workspace's lock, or only reads. */
export async function findByNames(
  tx: Queryable,
  { workspaceId, people, isDryRun, named }: RowClaims,
  names: readonly string[],
): Promise<Map<string, number | UnknownName>> {
  const keys = [...new Set(names.map(nameKey))].filter(Boolean);
  const asked = keys.flatMap((key) => named.get(key) ?? []);
  const found =
    asked.length === 0
      ? []
      : await tx.query<Namesake>(againSql, [
          workspaceId,
          arrayText(asked.map(({ key }) => key)),
          asked.map(({ id }) => id),
        ]);
  const ids = new Map<string, number[]>(keys.map((key) => [key, isDryRun ? people.idsByName(key) : []]));
  // A dry run has the names that people get from the file.
  for (const { key, id } of found) if (!isDryRun || !people.byId(id)) ids.get(key)?.push(id);
  return new Map(
    names.map((name) => {
      const [id, ...others] = ids.get(nameKey(name)) ?? [];
      return [name, id === undefined || others.length > 0 ? { name, people: id ? others.length + 1 : 0 } : id];
    }),
  );
}

const isNamedAs = (name: string) => `${isPerson('m')} and ${isHere('m')} and lower(${name}) = asked.key`;
const isNamed = `(${isNamedAs(`btrim(m.first_name || ' ' || m.last_name)`)})`;
const isPreferred = `(m.preferred_name is not null and ${isNamedAs(shownName('m'))})`;

const passSql = `
  select asked.key, m.id
    from unnest($2::text[]) as asked (key)
    join members m on m.workspace_id = $1::bigint and ${isNamed}
   union
  select asked.key, m.id
    from unnest($2::text[]) as asked (key)
    join members m on m.workspace_id = $1::bigint and ${isPreferred}`;

const againSql = `
  select asked.key, m.id
    from unnest($2::text[], $3::bigint[]) as asked (key, id)
    join members m on m.workspace_id = $1::bigint and m.id = asked.id and (${isNamed} or ${isPreferred})
   order by m.id`;
