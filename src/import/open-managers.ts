import type { People, Person } from './people.ts';
import { WaitingRows } from './waiting-rows.ts';

/** A manager who is not known yet: they may come later in the file. */
export interface OpenManager {
  person: Person;
  manager: string;
  currentManagerId: number | null;
  /** Of the whole row, for the file of rejected rows. */
  cells: readonly string[];
}

type Packed = [nth: number, manager: string, currentManagerId: number | null, cells: readonly string[]];

/** The managers to identify after all rows were read. A file may name most managers before their own rows. */
export class OpenManagers {
  #people: People;
  #rows: WaitingRows<Packed>;

  constructor(people: People, batchRows: number) {
    this.#people = people;
    this.#rows = new WaitingRows(batchRows);
  }

  get length(): number {
    return this.#rows.length;
  }

  add(managers: readonly OpenManager[]): void {
    this.#rows.add(
      managers.map(({ person, manager, currentManagerId, cells }) => [person.nth, manager, currentManagerId, cells]),
    );
  }

  first(): OpenManager[] {
    return this.#rows.first().map(([nth, manager, currentManagerId, cells]) => ({
      person: this.#people.at(nth),
      manager,
      currentManagerId,
      cells,
    }));
  }

  dropFirst(): void {
    this.#rows.dropFirst();
  }
}
