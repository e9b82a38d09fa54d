import type { People, Person } from './people.ts';
import { WaitingRows } from './waiting-rows.ts';

/** What is left to do for a person after all rows were read. */
interface OpenRow {
  person: Person;
  /** Of the whole row, for the file of rejected rows. */
  cells: readonly string[];
}

/** A manager who is not known yet: they may come later in the file. */
export interface OpenManager extends OpenRow {
  manager: string;
  currentManagerId: number | null;
}

/** A person who is here, and has left according to the file. */
export interface Leaver extends OpenRow {
  leftOn?: string | undefined;
}

/** A file may name most managers before their own rows, and mark all people as left: of each person the number is kept. */
export class OpenRows<Open extends OpenRow> {
  #people: People;
  #rows: WaitingRows<Omit<Open, 'person'> & { nth: number }>;

  constructor(people: People, batchRows: number) {
    this.#people = people;
    this.#rows = new WaitingRows(batchRows);
  }

  get length(): number {
    return this.#rows.length;
  }

  add(rows: readonly Open[]): void {
    this.#rows.add(rows.map(({ person, ...row }) => ({ ...row, nth: person.nth })));
  }

  first(): Open[] {
    return this.#rows.first().map(({ nth, ...row }) => ({ ...row, person: this.#people.at(nth) }) as unknown as Open);
  }

  dropFirst(): void {
    this.#rows.dropFirst();
  }
}
