import { arrayText } from '../../ground/database/copy.ts';
import { lookUpByKey, type Queryable } from '../../ground/database/database.ts';
import { isHere, isPerson } from '../directory/who.ts';
import type { RowClaims } from './claims.ts';
import { longestWithBrackets, managerKeys } from './manager-keys.ts';

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

/** The people who have these names, in the file and in the directory. The caller holds the workspace's lock, or only reads. */
export async function findByNames(
  tx: Queryable,
  { workspaceId, people, isDryRun }: RowClaims,
  names: readonly string[],
): Promise<Map<string, number | UnknownName>> {
  const keys = [...new Set(names.map(nameKey))].filter(Boolean);
  if (keys.length === 0) return new Map(names.map((name) => [name, { name, people: 0 }]));
  // Names have no index: one pass over all people for a batch of names.
  await tx.query("select set_config('enable_hashjoin', 'on', true)");
  const found = await tx.query<{ key: string; id: number }>(namesSql, [workspaceId, arrayText(keys)]);
  await lookUpByKey(tx);
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

const namesSql = `
  select asked.key, m.id
    from unnest($2::text[]) as asked (key)
    join members m on m.workspace_id = $1::bigint
                  and lower(btrim(m.first_name || ' ' || m.last_name)) = asked.key
   where ${isPerson('m')}
     and ${isHere('m')}
   order by m.id`;
