import { type GroupField, groupFields } from '../../../ground/values/member.ts';
import { Codes, type TakeColumn, Texts, withRoom } from './columns.ts';

/** A record of a member. Days are numbered from 1970-01-01, in the workspace's time zone. A record that is no person has no day `added`. */
export type PersonColumns = [
  id: number,
  mergedInto: number | null,
  added: number | null,
  left: number | null,
  managerId: number | null,
  teamId: number,
  /** One for each of `groupFields`. */
  ...texts: (string | null)[],
];

/** Later than every day. */
const never = 0x7fff_ffff;
/** In place of a member: no person. */
export const noPerson = -1;

export type PersonGroup = GroupField | 'team' | 'manager';

/**
 * The members of a workspace as columns. A member is a place in them. An id that was named before its record was read has a place too, and
 * counts as no person until then.
 */
export class People {
  readonly #ids = new Codes<number>();
  #byId = new Int32Array();
  readonly texts = Object.fromEntries(groupFields.map((name) => [name, new Texts()])) as Record<GroupField, Texts>;
  readonly teams = new Codes<number>();
  /** The member that counts: merged records resolve to the surviving one. */
  survivor = new Int32Array();
  /** The days on which they came and left. A record that is no person never came. */
  added = new Int32Array();
  left = new Int32Array();
  /** The manager that each record names. */
  named = new Int32Array();
  /** The same without loops; null if it has to be found again. */
  #manager: Int32Array | null = null;
  team = new Int32Array();
  /** The texts of each member, one column for each of `groupFields`. */
  #spellings = groupFields.map(() => new Int32Array());

  /** The people whose columns, as `columns` returned them, are taken one after the other. */
  static of(count: number, teams: readonly number[], texts: readonly (string | null)[][], take: TakeColumn): People {
    const people = new People();
    for (const id of take(Float64Array, count)) people.#ids.of(id);
    for (const column of columns) people[column] = take(Int32Array, count);
    people.#spellings = groupFields.map(() => take(Int32Array, count));
    for (const team of teams) people.teams.of(team);
    for (const [nth, field] of groupFields.entries()) for (const text of texts[nth] ?? []) people.texts[field].of(text);
    return people;
  }

  /** Everything about them that is numbers. */
  columns(): (Float64Array | Int32Array)[] {
    const numbers = [...columns.map((column) => this[column]), ...this.#spellings];
    return [Float64Array.from(this.#ids.values), ...numbers.map((column) => column.subarray(0, this.count))];
  }

  get count(): number {
    return this.#ids.values.length;
  }

  idOf(place: number): number {
    return this.#ids.values[place] as number;
  }

  /** The place of a member's id. */
  placeOf(id: number | null): number {
    if (id === null) return noPerson;
    const place = this.#ids.of(id);
    if (place === this.survivor.length) this.#grow();
    if (this.survivor[place] === noPerson) {
      this.survivor[place] = place;
      this.added[place] = never;
      this.named[place] = noPerson;
      this.#manager = null;
    }
    return place;
  }

  /** Takes over a record as it is now. */
  put([id, mergedInto, added, left, managerId, teamId, ...texts]: PersonColumns): void {
    const place = this.placeOf(id);
    // A new person may move the columns, so these come first.
    const survivor = mergedInto === null ? place : this.placeOf(mergedInto);
    const manager = this.placeOf(managerId);
    this.survivor[place] = survivor;
    if (this.named[place] !== manager) this.#manager = null;
    this.named[place] = manager;
    this.added[place] = added ?? never;
    this.left[place] = left ?? never;
    this.team[place] = this.teams.of(teamId);
    for (const [nth, field] of groupFields.entries())
      (this.#spellings[nth] as Int32Array)[place] = this.texts[field].of(texts[nth] ?? null);
  }

  /** The manager of each member. People who manage each other in a loop have none. */
  get manager(): Int32Array {
    this.#manager ??= withoutLoops(this.named.slice(0, this.count));
    return this.#manager;
  }

  /** The group of each member. */
  groupsBy(by: PersonGroup): Int32Array {
    if (by === 'team' || by === 'manager') return this[by];
    return this.#spellings[groupFields.indexOf(by)] as Int32Array;
  }

  /** All places, by id. */
  byId(): Int32Array {
    if (this.#byId.length === this.count) return this.#byId;
    const ids = Float64Array.from(this.#ids.values).sort();
    this.#byId = Int32Array.from(ids, (id) => this.#ids.of(id));
    return this.#byId;
  }

  #grow(): void {
    const before = this.survivor.length;
    for (const column of columns) this[column] = withRoom(this[column], before + 1);
    this.#spellings = this.#spellings.map((column) => withRoom(column, before + 1));
    this.survivor.fill(noPerson, before);
  }
}

const columns = ['survivor', 'added', 'left', 'named', 'team'] as const;

/** Changes the column of managers: people who manage each other in a loop get none. Returns it. */
function withoutLoops(manager: Int32Array): Int32Array {
  /** The walk that has met a person first; 0: none. */
  const metBy = new Int32Array(manager.length);
  for (let start = 0; start < manager.length; start++) {
    const walk = start + 1;
    let at = start;
    for (; at !== noPerson && metBy[at] === 0; at = manager[at] as number) metBy[at] = walk;
    // The walk has come back to a person that it has passed: from there on it is a loop.
    while (at !== noPerson && metBy[at] === walk && manager[at] !== noPerson) {
      const next = manager[at] as number;
      manager[at] = noPerson;
      at = next;
    }
  }
  return manager;
}
