import type { Queryable } from '../../../ground/database/database.ts';
import { Activities } from './activities.ts';
import type { Contents } from './packed.ts';
import { People } from './people.ts';
import { type Changes, lowerCase, type Position, readChanges, readPeople, readState } from './read.ts';

/** The people of a workspace and what was given to them, in memory: as they are in the database at the moment of the last `follow`. */
export class CompanyMemory {
  readonly workspaceId: number;
  people = new People();
  activities = new Activities();
  readonly #rowsAtOnce: number;
  #position: Position | null = null;

  /** So few rows are read at once that taking them over does not hold up other requests. */
  constructor(workspaceId: number, rowsAtOnce = 10_000) {
    this.workspaceId = workspaceId;
    this.#rowsAtOnce = rowsAtOnce;
  }

  /** About how much memory it takes. */
  get bytes(): number {
    return this.people.count * 200 + this.activities.count * 17;
  }

  /** What it knows as of the last `follow`; null before the first one. */
  get contents(): Contents | null {
    return this.#position && { position: this.#position, people: this.people, activities: this.activities };
  }

  /** Begins with what another process has read. `follow` reads what has changed since. */
  beginWith({ position, people, activities }: Contents): void {
    this.people = people;
    this.activities = activities;
    this.#position = position;
  }

  /**
   * Reads what has changed: the event log says who, and activities are numbered. Reading a change twice changes nothing, so a reading that
   * fails on the way can be tried again.
   */
  async follow(on: Queryable): Promise<void> {
    let hasReadAgain = false;
    for (;;) {
      const position = this.#position ?? (await this.#begin(on));
      const at = { event: position.event, activities: this.activities.count };
      const changes = await readChanges(on, this.workspaceId, at, this.#rowsAtOnce);
      if (isRewritten(position, changes) || changes.wasImportUndone) {
        this.#position = null;
        continue;
      }
      this.#take(changes);
      // An import under way writes all the time. People are read again once; what its next batches write is for the next question.
      const readsAgain: boolean = changes.wasImported || (changes.imports !== position.imports && !hasReadAgain);
      if (readsAgain) await this.#readPeople(on);
      hasReadAgain ||= readsAgain;
      const imports = readsAgain ? changes.imports : position.imports;
      const { readTo: event, latest, history, zone } = changes;
      this.#position = { event, activities: this.activities.count, latest, imports, history, zone };
      if (!readsAgain && isComplete(this.#position, position, changes)) break;
    }
    await this.#groupTexts(on);
  }

  async #begin(on: Queryable): Promise<Position> {
    const position = await readState(on, this.workspaceId);
    this.people = new People();
    this.activities = new Activities();
    await this.#readPeople(on);
    return { ...position, activities: 0 };
  }

  async #readPeople(on: Queryable): Promise<void> {
    let after: number | undefined = 0;
    while (after !== undefined) {
      const rows = await readPeople(on, this.workspaceId, after, this.#rowsAtOnce);
      for (const row of rows) this.people.put(row);
      after = rows.at(-1)?.[0];
    }
  }

  #take({ people, receivers, senders, days, kinds, decided }: Changes): void {
    for (const row of people) this.people.put(row);
    const [to, from, day, kind] = [receivers, senders, days, kinds].map(numbersOf) as [Ids, Ids, number[], number[]];
    for (const [nth, receiver] of to.entries()) {
      const place = this.people.placeOf(receiver);
      this.activities.add(place, this.people.placeOf(from[nth] ?? null), day[nth] as number, kind[nth] as number);
    }
    for (const [number, kind] of decided) this.activities.decide(number, kind);
  }

  async #groupTexts(on: Queryable): Promise<void> {
    for (const texts of Object.values(this.people.texts))
      if (texts.ungrouped.length > 0) texts.group(await lowerCase(on, texts.ungrouped));
  }
}

type Ids = (number | null)[];

/** The numbers of an array of PostgreSQL. */
function numbersOf(array: string): Ids {
  return JSON.parse(`[${array.slice(1, -1).replaceAll('NULL', 'null')}]`);
}

/** Whether the changes since then are not known: their events were removed, the database was restored, or days begin at another time. */
function isRewritten(position: Position, now: Changes): boolean {
  return (
    now.history !== position.history ||
    now.zone !== position.zone ||
    now.removed > position.event ||
    now.event < position.event ||
    now.activities < position.activities ||
    now.latest < position.latest
  );
}

function isComplete(position: Position, before: Position, now: Changes): boolean {
  const isRead = position.event === now.event && position.activities === now.activities;
  if (!isRead && position.event === before.event && position.activities === before.activities)
    throw new Error(`there are ${now.activities} activities, and they are not numbered 1, 2, 3 …`);
  return isRead;
}
