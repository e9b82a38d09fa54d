import type { Queryable } from '../../ground/database/database.ts';
import { plainText } from '../../ground/values/text.ts';

const indexedWords = 8;

/** The words of a search. Each has to occur in the name, the email address or the employee number. */
export function wordsOf(search: string | undefined): string[] {
  return plainText(search ?? '')
    .split(/\s+/)
    .filter(Boolean);
}

/**
 * A condition on `member_texts t` that each word occurs. The index is used for the first eight words: no name has more, and each
 * costs planning time.
 */
export function hasWords(words: readonly string[], bind: (value: unknown) => string): string {
  const patterns = words.map((word) => likePattern(word, '%'));
  const conditions = patterns.slice(0, indexedWords).map((one) => `t.text like lower(${bind(one)})`);
  const more = patterns.slice(indexedWords);
  if (more.length > 0)
    conditions.push(`t.text like all (array(select lower(word) from unnest(${bind(more)}::text[]) as word))`);
  return conditions.join(' and ');
}

/** A pattern for `like` that matches the word behind `before`; the word's special characters are escaped. */
export function likePattern(word: string, before: string): string {
  return `${before}${word.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The ids of the people whom a search finds, and of the records merged into them; null if it finds more than `most`. */
export async function findPeople(
  on: Queryable,
  workspaceId: number,
  words: readonly string[],
  most: number,
): Promise<number[] | null> {
  const values: unknown[] = [workspaceId];
  const condition = hasWords(words, (value) => `$${values.push(value)}`);
  const found = await on.query<{ id: number }>(
    `select t.member_id as id from member_texts t where t.workspace_id = $1 and ${condition} limit ${most + 1}`,
    values,
    'once',
  );
  if (found.length > most) return null;
  const rows = await on.query<{ id: number }>(recordsSql, [workspaceId, found.map(({ id }) => id)]);
  return rows.map(({ id }) => id);
}

const recordsSql = `
  select id from members where workspace_id = $1 and id = any($2::bigint[])
   union all
  select id from members where workspace_id = $1 and merged_into = any($2::bigint[])`;
