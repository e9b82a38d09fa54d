import type { Reader } from '../span.ts';
import { gift } from './activities.ts';
import type { CompanyMemory } from './company.ts';
import { countedOn, lastUntil } from './count.ts';
import { dayNumber, dayText } from './days.ts';

interface Search {
  asOf: string;
  /** The day from which on they were not recognized; null: those who were never recognized. */
  since: string | null;
  /** The ids of the members to look at; null: all. */
  chosen: readonly number[] | null;
  /** The ids of people who are not listed. */
  except: ReadonlySet<number>;
}

export interface LastRecognition {
  id: number;
  day: string | null;
  type: 'GIFT' | 'SHOUTOUT' | null;
}

/**
 * The people who were not recognized from one day to another: those never recognized first, then those whose last recognition is longest
 * ago, each day by id. Returns how many they are, and those from one place of the list to another.
 */
export function findUnrecognized(
  company: CompanyMemory,
  reader: Reader,
  search: Search,
  [from, to]: readonly [number, number],
): { total: number; found: LastRecognition[]; others: number } {
  const last = lastUntil(company, reader, search.asOf);
  const ranks = ranksOf(company, last);
  // Those who were never recognized are found however early the day is.
  const limit = search.since === null ? 1 : Math.max(1, dayNumber(search.since) + 1);
  const all = placesOf(company, reader, search).filter((place) => (ranks[place] as number) < limit);
  const places = all.filter((place) => !search.except.has(company.people.idOf(place)));
  const listed = sortByRank(places, ranks, limit).subarray(from, to);
  return {
    total: places.length,
    others: all.length - places.length,
    found: Array.from(listed, (place) => describe(company, place, last[place] as number)),
  };
}

/** 0: never recognized. Otherwise the number of the day after the last recognition. */
function ranksOf({ activities }: CompanyMemory, last: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(last.length);
  for (let place = 0; place < last.length; place++)
    if (last[place] !== 0) ranks[place] = (activities.day[(last[place] as number) - 1] as number) + 1;
  return ranks;
}

/** The places of the people to look at, by id. */
function placesOf(company: CompanyMemory, reader: Reader, { asOf, chosen }: Search): Int32Array {
  const { people } = company;
  const ids = chosen?.toSorted((a, b) => a - b);
  const places = ids ? Int32Array.from(ids, (id) => people.placeOf(id)) : people.byId();
  const counted = countedOn(company, reader, asOf);
  return places.filter((place) => counted[place] === 1);
}

/** Sorts places by their rank, which is less than `limit`. Those with the same rank stay in their sequence. */
function sortByRank(places: Int32Array, ranks: Uint32Array, limit: number): Int32Array {
  const ends = new Uint32Array(limit);
  for (let nth = 0; nth < places.length; nth++) {
    const rank = ranks[places[nth] as number] as number;
    ends[rank] = (ends[rank] as number) + 1;
  }
  for (let rank = 1; rank < limit; rank++) ends[rank] = (ends[rank] as number) + (ends[rank - 1] as number);
  const sorted = new Int32Array(places.length);
  for (let nth = places.length - 1; nth >= 0; nth--) {
    const place = places[nth] as number;
    const rank = ranks[place] as number;
    ends[rank] = (ends[rank] as number) - 1;
    sorted[ends[rank] as number] = place;
  }
  return sorted;
}

function describe({ people, activities }: CompanyMemory, place: number, number: number): LastRecognition {
  const id = people.idOf(place);
  if (number === 0) return { id, day: null, type: null };
  const isGift = activities.kind[number - 1] === gift;
  return { id, day: dayText(activities.day[number - 1] as number), type: isGift ? 'GIFT' : 'SHOUTOUT' };
}
