import type { CoverageCounts } from '../../../ground/contract/coverage.ts';
import { daysBetween } from '../../../ground/values/calendar.ts';
import type { Reader, ReportSpan } from '../span.ts';
import { gift } from './activities.ts';
import type { CompanyMemory } from './company.ts';
import { countsOf, newTally, seenBy, type Tally } from './count.ts';
import { dayNumber } from './days.ts';
import { kindsSeenBy } from './visible.ts';

/** Months that follow each other: their first and last day, the last day of each, and the month of each day. */
interface Calendar {
  first: number;
  last: number;
  ends: Int32Array;
  monthOf: Uint8Array;
}

/**
 * The counts of each of some months that follow each other, with the people who were here at its end. One pass for all of them: one for
 * each would look at every person thirteen times for a year.
 */
export function countMonths(company: CompanyMemory, reader: Reader, months: readonly ReportSpan[]): CoverageCounts[] {
  if (months.length === 0) return [];
  const calendar = calendarOf(months);
  const isSeen = seenBy(company, reader) ?? new Uint8Array(company.people.count).fill(1);
  const found = newTally(months.length);
  const kind = kindsSeenBy(company, reader);
  addReceived(found, company, kind, addPeople(found, company, isSeen, calendar), calendar);
  return months.map((_, nth) => countsOf(found, nth));
}

function calendarOf(months: readonly ReportSpan[]): Calendar {
  const ends = Int32Array.from(months, ({ asOf }) => dayNumber(asOf));
  const days = months.flatMap(({ from, to }, nth) => Array<number>(daysBetween(from, to) + 1).fill(nth));
  const first = dayNumber((months[0] as ReportSpan).from);
  return { first, last: first + days.length - 1, ends, monthOf: Uint8Array.from(days) };
}

/** Returns a number for each place, with a bit for each month at whose end the member was here. */
function addPeople({ people }: Tally, company: CompanyMemory, isSeen: Uint8Array, { ends }: Calendar): Uint32Array {
  const { added, left, count } = company.people;
  const wasHere = new Uint32Array(count);
  for (let month = 0; month < ends.length; month++) {
    const end = ends[month] as number;
    for (let place = 0; place < count; place++) {
      if (isSeen[place] === 0 || (added[place] as number) > end || (left[place] as number) <= end) continue;
      wasHere[place] = (wasHere[place] as number) | (1 << month);
      people[month + 1] = (people[month + 1] as number) + 1;
    }
  }
  return wasHere;
}

/** Where the bits begin that say in which months a member was recognized. A year has at most thirteen months. */
const recognizedBit = 16;

/** Members lie far apart in memory, so all that is to know about one is in one number. */
function addReceived(
  found: Tally,
  company: CompanyMemory,
  kind: Uint8Array,
  state: Uint32Array,
  { first, last, monthOf }: Calendar,
): void {
  const { receiver, day } = company.activities;
  const { survivor } = company.people;
  const [begin, end] = company.activities.between(first, last);
  for (let nth = begin; nth < end; nth++) {
    const on = day[nth] as number;
    if ((kind[nth] as number) < gift || on < first || on > last) continue;
    const place = survivor[receiver[nth] as number] as number;
    const month = monthOf[on - first] as number;
    const known = state[place] as number;
    if ((known & (1 << month)) === 0) continue;
    const received = kind[nth] === gift ? found.gifts : found.shoutouts;
    received[month + 1] = (received[month + 1] as number) + 1;
    const isNew = (known & (1 << (recognizedBit + month))) === 0;
    if (isNew) found.recognized[month + 1] = (found.recognized[month + 1] as number) + 1;
    state[place] = known | (1 << (recognizedBit + month));
  }
}
