import type { CoverageCounts } from '../../../ground/contract/coverage.ts';
import type { Reader, ReportSpan } from '../span.ts';
import { declined, gift } from './activities.ts';
import { reportsOf } from './below.ts';
import type { CompanyMemory } from './company.ts';
import { dayNumber } from './days.ts';
import { noPerson } from './people.ts';
import { kindsSeenBy } from './visible.ts';

// Counting a million activities takes milliseconds as long as the loops over them call nothing and read columns alone.

/** 1 at the place of each member whom a manager sees, or a filter has chosen; null: the reader sees all people. */
export function seenBy({ people }: CompanyMemory, { onlyReportsOf, chosen = null }: Reader): Uint8Array | null {
  // Places of people who are new here come first: they make the columns longer.
  const places = chosen?.map((id) => people.placeOf(id));
  const reports = onlyReportsOf === null ? null : reportsOf(people, people.placeOf(onlyReportsOf));
  if (!places) return reports;
  const isSeen = new Uint8Array(people.count);
  for (const place of places) isSeen[place] = reports === null ? 1 : (reports[place] as number);
  return isSeen;
}

/**
 * The numbers of the activities that a reader sees, the newest first: of a manager what their reports received; without what was declined. Returns
 * how many they are, and those from one place of the list to another.
 */
export function findReceived(
  company: CompanyMemory,
  reader: Reader,
  [from, to]: readonly [number, number],
): { total: number; numbers: number[] } {
  const { receiver, count } = company.activities;
  const { survivor } = company.people;
  const kind = kindsSeenBy(company, reader);
  const isSeen = seenBy(company, reader);
  const numbers: number[] = [];
  let total = 0;
  for (let nth = count - 1; nth >= 0; nth--) {
    if (kind[nth] === declined) continue;
    if (isSeen !== null && isSeen[survivor[receiver[nth] as number] as number] !== 1) continue;
    if (total >= from && total < to) numbers.push(nth + 1);
    total++;
  }
  return { total, numbers };
}

/** 1 at the place of each person who was here at the end of a day and whom the reader sees. */
export function countedOn(company: CompanyMemory, reader: Reader, day: string): Uint8Array {
  const { people } = company;
  const isSeen = seenBy(company, reader);
  const { added, left, count } = people;
  const number = dayNumber(day);
  const counted = new Uint8Array(count);
  for (let place = 0; place < count; place++)
    if ((added[place] as number) <= number && (left[place] as number) > number)
      counted[place] = isSeen === null ? 1 : (isSeen[place] as number);
  return counted;
}

/** What was given after the day `asOf` is not part of a span. */
function daysOf({ from, to, asOf }: ReportSpan): [first: number, last: number] {
  return [dayNumber(from), dayNumber(to < asOf ? to : asOf)];
}

/** Counts of groups. The counts of people without a group are at 0, those of the group n at n + 1. */
export interface Tally {
  people: Uint32Array;
  recognized: Uint32Array;
  gifts: Uint32Array;
  shoutouts: Uint32Array;
}

/** The number of each person's group, by place, and how many groups there are. */
export interface GroupNumbers {
  groupOf: Int32Array | null;
  size: number;
}

/** No person has a group. */
const ungrouped: GroupNumbers = { groupOf: null, size: 0 };

/** Of the people of each group who were here at the end of the day `asOf`, how many were recognized in a span, and what they received. */
export function tally(company: CompanyMemory, reader: Reader, span: ReportSpan, grouping: GroupNumbers): Tally {
  const { groupOf } = grouping;
  const { receiver, day } = company.activities;
  const { survivor } = company.people;
  const kind = kindsSeenBy(company, reader);
  const counted = countedOn(company, reader, span.asOf);
  const { people, recognized, gifts, shoutouts } = tallyPeople(counted, grouping);
  const [first, last] = daysOf(span);
  const [begin, end] = company.activities.between(first, last);
  for (let nth = begin; nth < end; nth++) {
    if ((kind[nth] as number) < gift || (day[nth] as number) < first || (day[nth] as number) > last) continue;
    const place = survivor[receiver[nth] as number] as number;
    const state = counted[place] as number;
    if (state === 0) continue;
    const at = groupOf === null ? 0 : (groupOf[place] as number) - noPerson;
    const received = kind[nth] === gift ? gifts : shoutouts;
    received[at] = (received[at] as number) + 1;
    if (state === 1) recognized[at] = (recognized[at] as number) + 1;
    // Counted as recognized already. Members lie far apart in memory, so this is no column of its own.
    counted[place] = 2;
  }
  return { people, recognized, gifts, shoutouts };
}

function tallyPeople(counted: Uint8Array, { groupOf, size }: GroupNumbers): Tally {
  const found = newTally(size);
  const { people } = found;
  for (let place = 0; place < counted.length; place++) {
    const at = groupOf === null ? 0 : (groupOf[place] as number) - noPerson;
    if (counted[place] === 1) people[at] = (people[at] as number) + 1;
  }
  return found;
}

export function newTally(size: number): Tally {
  const [people, recognized, gifts, shoutouts] = [0, 0, 0, 0].map(() => new Uint32Array(size + 1)) as Columns;
  return { people, recognized, gifts, shoutouts };
}

type Columns = [Uint32Array, Uint32Array, Uint32Array, Uint32Array];

/** The counts of all people. */
export function countAll(company: CompanyMemory, reader: Reader, span: ReportSpan): CoverageCounts {
  return countsOf(tally(company, reader, span, ungrouped), noPerson);
}

/** The counts of one group, or of people without one. */
export function countsOf({ people, recognized, gifts, shoutouts }: Tally, group: number): CoverageCounts {
  const at = group - noPerson;
  return withShare(people[at] as number, recognized[at] as number, gifts[at] as number, shoutouts[at] as number);
}

/** The groups that have people, and `noPerson` for people without one. */
export function groupsOf({ people }: Tally): number[] {
  const groups: number[] = [];
  for (let at = 0; at < people.length; at++) if (people[at] !== 0) groups.push(at + noPerson);
  return groups;
}

/** The counts of all groups together. */
export function totalOf({ people, recognized, gifts, shoutouts }: Tally): CoverageCounts {
  return withShare(sum(people), sum(recognized), sum(gifts), sum(shoutouts));
}

function sum(column: Uint32Array): number {
  let all = 0;
  for (let at = 0; at < column.length; at++) all += column[at] as number;
  return all;
}

/** The share has four digits. */
function withShare(people: number, recognized: number, gifts: number, shoutouts: number): CoverageCounts {
  const share = people === 0 ? null : Math.round((recognized * 10_000) / people) / 10_000;
  return { people, recognized, share, gifts, shoutouts };
}

/** How many of the people of each manager this manager has recognized in a span, at the manager's place. */
export function countByManager(company: CompanyMemory, reader: Reader, span: ReportSpan): Uint32Array {
  const { receiver, sender, day } = company.activities;
  const { survivor, manager } = company.people;
  const kind = kindsSeenBy(company, reader);
  const isOpen = countedOn(company, reader, span.asOf);
  const counts = new Uint32Array(isOpen.length);
  const [first, last] = daysOf(span);
  const [begin, end] = company.activities.between(first, last);
  for (let nth = begin; nth < end; nth++) {
    const place = survivor[receiver[nth] as number] as number;
    const above = manager[place] as number;
    const isIn = (kind[nth] as number) >= gift && (day[nth] as number) >= first && (day[nth] as number) <= last;
    if (!isIn || above === noPerson || isOpen[place] === 0 || survivor[sender[nth] as number] !== above) continue;
    isOpen[place] = 0;
    counts[above] = (counts[above] as number) + 1;
  }
  return counts;
}

/** The number of the last activity that each member received until a day and that the reader may see, at the member's place; 0: none. */
export function lastUntil(company: CompanyMemory, reader: Reader, asOf: string): Uint32Array {
  const { people, activities } = company;
  const { receiver, day } = activities;
  const { survivor } = people;
  const kind = kindsSeenBy(company, reader);
  const last = new Uint32Array(people.count);
  const until = dayNumber(asOf);
  const [begin, end] = activities.between(0, until);
  for (let nth = begin; nth < end; nth++)
    if ((kind[nth] as number) >= gift && (day[nth] as number) <= until)
      last[survivor[receiver[nth] as number] as number] = nth + 1;
  return last;
}
