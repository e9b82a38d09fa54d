import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { People, Person } from './people.ts';

/** A manager who is not known yet: they may come later in the file. */
export interface OpenManager {
  person: Person;
  manager: string;
  currentManagerId: number | null;
  /** Of the whole row, for the file of rejected rows. */
  cells: readonly string[];
}

type Packed = [nth: number, manager: string, currentManagerId: number | null, cells: readonly string[]];

/**
 * The managers to identify after all rows were read, in batches. A file may name most managers before their own rows, so each batch is
 * compressed to a fifth.
 */
export class OpenManagers {
  length = 0;
  #people: People;
  #batchRows: number;
  #packed: Buffer[] = [];
  #latest: OpenManager[] = [];

  constructor(people: People, batchRows: number) {
    this.#people = people;
    this.#batchRows = batchRows;
  }

  add(managers: readonly OpenManager[]): void {
    for (const one of managers) {
      this.length++;
      if (this.#latest.push({ ...one, ...copyOf(one) }) < this.#batchRows) continue;
      this.#packed.push(pack(this.#latest));
      this.#latest = [];
    }
  }

  first(): OpenManager[] {
    const [packed] = this.#packed;
    return packed ? unpack(packed, this.#people) : this.#latest;
  }

  dropFirst(): void {
    if (this.#packed.shift()) this.length -= this.#batchRows;
    else {
      this.#latest = [];
      this.length = 0;
    }
  }
}

/** The texts are parts of a large piece of the file, which stays in memory as long as one of them does. */
function copyOf({ manager, cells }: OpenManager): Pick<OpenManager, 'manager' | 'cells'> {
  return JSON.parse(JSON.stringify({ manager, cells }));
}

function pack(managers: readonly OpenManager[]): Buffer {
  const rows = managers.map(({ person, manager, currentManagerId, cells }): Packed => {
    return [person.nth, manager, currentManagerId, cells];
  });
  return deflateRawSync(JSON.stringify(rows), { level: 1 });
}

function unpack(packed: Buffer, people: People): OpenManager[] {
  const rows = JSON.parse(inflateRawSync(packed).toString()) as Packed[];
  return rows.map(([nth, manager, currentManagerId, cells]) => ({
    person: people.at(nth),
    manager,
    currentManagerId,
    cells,
  }));
}
