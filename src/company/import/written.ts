import type { FilePeople } from './people.ts';

type How = 'added' | 'changed';

/** The members that an import has written so far, and how. Most are people of the file, of whom it is kept with them. */
export class Written {
  count = 0;
  #people: FilePeople;
  #others = new Map<number, How>();

  constructor(people: FilePeople) {
    this.#people = people;
  }

  how(id: number): How | null {
    const person = this.#people.byRecord(id);
    if (!person) return this.#others.get(id) ?? null;
    if (!person.isWritten) return null;
    return person.outcome === 'added' ? 'added' : 'changed';
  }

  keep(id: number, isAdded: boolean): void {
    if (this.how(id) === null) this.count++;
    const person = this.#people.byRecord(id);
    if (person) person.isWritten = true;
    else if (!this.#others.has(id)) this.#others.set(id, isAdded ? 'added' : 'changed');
  }
}
