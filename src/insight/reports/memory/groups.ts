import type { CoverageCounts, CoverageQuery } from '../../../ground/contract/coverage.ts';
import type { Page } from '../../../ground/values/page.ts';
import type { Reader, ReportSpan } from '../span.ts';
import type { CompanyMemory } from './company.ts';
import { countsOf, groupsOf, newTally, type Tally, tally, totalOf } from './count.ts';
import { noPerson, type People, type PersonGroup } from './people.ts';

/** People with the same text, to the letter, or with the same id. */
export interface Spelling extends CoverageCounts {
  id: number | null;
  text: string | null;
}

export interface Candidates {
  company: CoverageCounts;
  /** How many groups there are. */
  total: number;
  /** How many of them come before all candidates. */
  before: number;
  spellings: Spelling[];
}

type Sort = CoverageQuery['sort'];

/**
 * The groups that may be on a page: those that come neither before nor after it by their counts. Where counts are equal, names say which
 * comes first, and only the database can compare names.
 */
export function findGroups(
  memory: CompanyMemory,
  reader: Reader,
  span: ReportSpan,
  { by, sort, page, size }: Page & { by: PersonGroup; sort: Sort },
): Candidates {
  const { people } = memory;
  const exact = tally(memory, reader, span, { groupOf: people.groupsBy(by), size: sizeOf(people, by) });
  const groupOf = groupOfSpelling(people, by);
  const joined = joinSpellings(exact, groupOf);
  const ranks = ranksOf(joined, sort);
  const groups = groupsOf(joined).sort((a, b) => rankOf(ranks, a) - rankOf(ranks, b));
  const isOnPage = tiedWith(ranks, groups.slice(page * size, (page + 1) * size));
  return {
    company: totalOf(exact),
    total: groups.length,
    before: Math.max(0, groups.findIndex(isOnPage)),
    spellings: groupsOf(exact)
      .filter((spelling) => isOnPage(groupOf(spelling)))
      .map((spelling) => ({ ...keyOf(people, by, spelling), ...countsOf(exact, spelling) })),
  };
}

/** The managers who have people, the smallest share first. */
export function sortManagers(counted: Tally, people: People): number[] {
  const ranks = ranksOf(counted, 'share');
  const managers = groupsOf(counted).filter((place) => place !== noPerson);
  return managers.sort((a, b) => rankOf(ranks, a) - rankOf(ranks, b) || people.idOf(a) - people.idOf(b));
}

/** What groups are sorted by, as one number: their share and then their size, or their size alone, or nothing. */
function ranksOf({ people, recognized }: Tally, sort: Sort): Float64Array {
  const ranks = new Float64Array(people.length);
  for (let at = 0; at < ranks.length; at++) {
    const count = people[at] as number;
    const share = count === 0 ? 0 : Math.round(((recognized[at] as number) * 10_000) / count);
    ranks[at] = sort === 'name' ? 0 : sort === 'people' ? -count : share * 2 ** 32 - count;
  }
  return ranks;
}

const rankOf = (ranks: Float64Array, group: number) => ranks[group - noPerson] as number;

/** Says of a group whether it could take the place of one of these, which are sorted. */
function tiedWith(ranks: Float64Array, groups: readonly number[]): (group: number) => boolean {
  const [first, last] = [groups[0], groups.at(-1)];
  if (first === undefined || last === undefined) return () => false;
  return (group) => rankOf(ranks, group) >= rankOf(ranks, first) && rankOf(ranks, group) <= rankOf(ranks, last);
}

/** Texts that differ in case alone are one group. */
function groupOfSpelling({ texts }: People, by: PersonGroup): (spelling: number) => number {
  if (by === 'team' || by === 'manager') return (spelling) => spelling;
  const { groups } = texts[by];
  return (spelling) => groups[spelling] as number;
}

function sizeOf({ count, teams, texts }: People, by: PersonGroup): number {
  if (by === 'manager') return count;
  return (by === 'team' ? teams : texts[by]).values.length;
}

function joinSpellings(exact: Tally, groupOf: (spelling: number) => number): Tally {
  const joined = newTally(exact.people.length);
  for (const spelling of groupsOf(exact)) {
    const at = groupOf(spelling) - noPerson;
    for (const field of ['people', 'recognized', 'gifts', 'shoutouts'] as const)
      joined[field][at] = (joined[field][at] as number) + (exact[field][spelling - noPerson] as number);
  }
  return joined;
}

function keyOf(people: People, by: PersonGroup, spelling: number): Pick<Spelling, 'id' | 'text'> {
  if (by === 'team') return { id: people.teams.values[spelling] as number, text: null };
  if (by === 'manager') return { id: spelling === noPerson ? null : people.idOf(spelling), text: null };
  return { id: null, text: people.texts[by].values[spelling] as string | null };
}
