import type { MemberSuggestion, SuggestionQuery } from '../../ground/contract/member.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { lastRecognizedOn } from './last-recognition.ts';
import { shownFirstName, shownLastName, shownName } from './names.ts';
import { isReportOf } from './reporting-line.ts';
import { likePattern, wordsOf } from './search.ts';
import { isHere, isPerson, memberByAddress, memberByNumber } from './who.ts';

/** Of a search that fits many people, this many are ranked. More would delay other callers while one user types. */
const mostRanked = 200;
const mostWords = 8;
/**
 * What stands before the beginning of a word. The index takes every sign for the end of a word: a search for what stands behind one
 * that is not listed here would read each text that has it and find nothing. "example" took 1 s in 200,000 texts that way.
 */
const beginnings = ['', '% ', '%@', '%.', '%-'];
/** The index has groups of three characters: a shorter piece from the middle of a word would read all of it. */
const shortestInside = 3;

/**
 * Suggestions while a user types, the best first: who has exactly this address or number, then people whose names, address
 * or number begin with the words, then those who have them anywhere. People who have left are not suggested.
 */
export function suggestMembers(
  on: Queryable,
  { workspaceId, onlyReportsOf }: { workspaceId: number; onlyReportsOf: number | null },
  { search, size }: SuggestionQuery,
): Promise<MemberSuggestion[]> {
  const words = wordsOf(search).slice(0, mostWords);
  if (words.length === 0) return Promise.resolve([]);
  const values: unknown[] = [workspaceId, search.trim(), size, onlyReportsOf];
  return on.query<MemberSuggestion>(suggestSql(words, values), values, 'once');
}

function suggestSql(words: readonly string[], values: unknown[]): string {
  const fits = (pattern: string) => `t.text like lower($${values.push(pattern)})`;
  const begins = words.map((word) => `(${beginnings.map((before) => fits(likePattern(word, before))).join(' or ')})`);
  const isLong = words.every((word) => [...word].length >= shortestInside);
  const inside = isLong ? words.map((word) => fits(likePattern(word, '%'))) : null;
  const ranked = [
    `select id, 0 as rank
       from (select ${memberByAddress('$1', '$2')} union select ${memberByNumber('$1', '$2')}) as exact (id)`,
    peopleWith(begins, 1),
    ...(inside ? [peopleWith(inside, 2)] : []),
  ];
  return `
    select m.id, m.email, m.employee_number as "employeeNumber", ${shownFirstName('m')} as "firstName", ${shownLastName('m')} as "lastName",
           m.department, m.location, m.currency, m.picture_url as avatar, (${lastRecognizedOn('m')})::text as "lastRecognizedOn"
      from (select id, min(rank) as rank from (${ranked.join(' union all ')}) found group by id) best
      join members m on m.workspace_id = $1 and m.id = best.id
     where ${isPerson('m')}
       and ${isHere('m')}
       and ${isReportOf('$1', '$4', 'm.id')}
     order by best.rank, lower(${shownName('m')}), m.id
     limit $3`;
}

function peopleWith(conditions: readonly string[], rank: number): string {
  return `(select t.member_id, ${rank}
             from member_texts t
             join members m on m.workspace_id = t.workspace_id and m.id = t.member_id and ${isHere('m')}
            where t.workspace_id = $1
              and ${isReportOf('$1', '$4', 'm.id')}
              and ${conditions.join(' and ')}
            limit ${mostRanked})`;
}
