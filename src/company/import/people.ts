import { digestOf } from './digest.ts';
import { KeyTable } from './keys.ts';
import { EntryTable, Packed } from './packed.ts';

/** What an import does, or would do, for a person. */
export interface Change {
  change: 'added' | 'changed' | 'leaves' | 'heldBack' | 'returns' | 'none';
  email: string | null;
  employeeNumber: string | null;
  firstName: string | null;
  lastName: string | null;
  fields: string[];
}

const outcomes = ['added', 'changed', 'unchanged'] as const;
export type RowOutcome = (typeof outcomes)[number];

interface NewPerson {
  line: number;
  /** 0 for a new person. */
  id: number;
  outcome: RowOutcome;
  /** What the row says, as text. */
  said: string;
  /** The address, as it is compared, and the number by which the row names them. */
  email: string | undefined;
  number: string | undefined;
  /** Their changes, if changes are to be listed. */
  change: Change | null;
}

/** What is kept of all people, each in one array. */
interface Stored {
  lines: Packed;
  ids: Packed;
  outcomes: Packed;
  said: Packed;
  isWritten: Packed;
  /** In a dry run, the managers that it would write: NaN for no manager. */
  managers: Packed;
  changes: Map<number, Change>;
  byId: EntryTable;
  /** Of people whose record was merged since their row was read: the surviving record's id, and by this id the person. */
  survivors: Map<number, number>;
  bySurvivor: Map<number, number>;
}

/**
 * The people of the rows so far. They are kept in arrays of numbers, some 25 bytes a person, because a file may have millions of them. Of
 * addresses and numbers only digests of 64 bits are kept, until they are forgotten: that two of a million people have the same digest
 * happens in one of ten million files.
 */
export class FilePeople {
  #count = 0;
  /** The first of those who are found by address and number. */
  #firstFound = 0;
  #byEmail = new KeyTable();
  #byNumber = new KeyTable();
  /** In a dry run, the first person with a name, and the others. */
  #byName = new KeyTable();
  #namesakes = new Map<string, number[]>();
  #stored: Stored = {
    lines: new Packed(Uint32Array),
    ids: new Packed(Float64Array),
    outcomes: new Packed(Uint8Array),
    said: new Packed(Uint32Array),
    isWritten: new Packed(Uint8Array),
    managers: new Packed(Float64Array),
    changes: new Map(),
    byId: new EntryTable((nth) => hashOfId(this.#stored.ids.at(nth))),
    survivors: new Map(),
    bySurvivor: new Map(),
  };

  get count(): number {
    return this.#count;
  }

  add({ line, id, outcome, said, email, number, change }: NewPerson): FilePerson {
    const nth = this.#count++;
    this.#stored.lines.set(nth, line);
    this.#stored.said.set(nth, digestOf(said).low);
    if (change) this.#stored.changes.set(nth, change);
    if (email) this.#byEmail.add(nth - this.#firstFound, email);
    if (number) this.#byNumber.add(nth - this.#firstFound, number);
    const person = this.at(nth);
    person.outcome = outcome;
    if (id !== 0) person.id = id;
    return person;
  }

  at(nth: number): FilePerson {
    return new FilePerson(this.#stored, nth);
  }

  /** A row about a person that was kept as JSON, which has the number of the person alone. */
  restore<Row extends { person: FilePerson }>(row: Row): Row {
    return { ...row, person: this.at(row.person.nth) };
  }

  byEmail(key: string): FilePerson | undefined {
    return this.#foundBy(this.#byEmail, key);
  }

  byNumber(number: string): FilePerson | undefined {
    return this.#foundBy(this.#byNumber, number);
  }

  /** Only in a dry run: the database knows the names of written people. */
  addName(person: FilePerson, key: string): void {
    if (this.#byName.find(key) === undefined) this.#byName.add(person.nth, key);
    else if (!this.#namesakes.get(key)?.push(person.nth)) this.#namesakes.set(key, [person.nth]);
  }

  idsByName(key: string): number[] {
    const first = this.#byName.find(key);
    return first === undefined ? [] : [first, ...(this.#namesakes.get(key) ?? [])].map((nth) => this.at(nth).id);
  }

  /** From now on, the people so far are found by id alone: the database finds their records by address and number. */
  forgetKeys(): void {
    this.#firstFound = this.#count;
    this.#byEmail.clear();
    this.#byNumber.clear();
  }

  byId(id: number): FilePerson | undefined {
    return this.#found(this.#stored.bySurvivor.get(id) ?? findRecord(this.#stored, id));
  }

  /** The person whose record had this id when their row was read or added. */
  byRecord(id: number): FilePerson | undefined {
    return this.#found(findRecord(this.#stored, id));
  }

  #foundBy(table: KeyTable, key: string): FilePerson | undefined {
    const entry = table.find(key);
    return entry === undefined ? undefined : this.at(this.#firstFound + entry);
  }

  #found(nth: number | undefined): FilePerson | undefined {
    return nth === undefined ? undefined : this.at(nth);
  }
}

/** A person of a row of the file. Objects with the same `nth` are the same person: they read and write the same arrays. */
export class FilePerson {
  readonly nth: number;
  #stored: Stored;

  constructor(stored: Stored, nth: number) {
    this.nth = nth;
    this.#stored = stored;
  }

  get line(): number {
    return this.#stored.lines.at(this.nth);
  }

  /** 0 until a new person is added. */
  get id(): number {
    return this.#stored.survivors.get(this.nth) ?? this.#stored.ids.at(this.nth);
  }

  /** The person is found by the id from now on, unless another person of the file is. */
  set id(id: number) {
    const { ids, byId, survivors, bySurvivor } = this.#stored;
    const isTaken = bySurvivor.has(id) || findRecord(this.#stored, id) !== undefined;
    if (ids.at(this.nth) === 0) {
      ids.set(this.nth, id);
      if (!isTaken) byId.add(this.nth);
    } else {
      survivors.set(this.nth, id);
      if (!isTaken) bySurvivor.set(id, this.nth);
    }
  }

  get outcome(): RowOutcome {
    return outcomes[this.#stored.outcomes.at(this.nth)] as RowOutcome;
  }

  set outcome(outcome: RowOutcome) {
    this.#stored.outcomes.set(this.nth, outcomes.indexOf(outcome));
  }

  /** Whether a batch has written their record. */
  get isWritten(): boolean {
    return this.#stored.isWritten.at(this.nth) === 1;
  }

  set isWritten(isWritten: boolean) {
    this.#stored.isWritten.set(this.nth, isWritten ? 1 : 0);
  }

  /** Undefined as long as the database has their manager. */
  get managerId(): number | null | undefined {
    const id = this.#stored.managers.at(this.nth);
    return id === 0 ? undefined : Number.isNaN(id) ? null : id;
  }

  set managerId(id: number | null) {
    this.#stored.managers.set(this.nth, id ?? Number.NaN);
  }

  get change(): Change | null {
    return this.#stored.changes.get(this.nth) ?? null;
  }

  /** Nothing about them will change any more. */
  forgetChange(): void {
    this.#stored.changes.delete(this.nth);
  }

  /** Whether their row says the same as this text. */
  saidSame(said: string): boolean {
    return this.#stored.said.at(this.nth) === digestOf(said).low;
  }
}

function findRecord({ ids, byId }: Stored, id: number): number | undefined {
  return byId.find(hashOfId(id), (nth) => ids.at(nth) === id);
}

/** Spreads ids: those that follow each other would make long rows of taken slots. */
function hashOfId(id: number): number {
  return Math.imul(id ^ (id / 2 ** 32), 0x9e3779b1) >>> 0;
}
