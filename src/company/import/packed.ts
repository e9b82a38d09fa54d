const chunkLength = 65_536;

type Numbers = Uint8Array | Uint32Array | Float64Array;

/** A list of numbers that grows without being copied, and takes no more memory than the numbers do. Absent numbers are 0. */
export class Packed {
  #chunks: Numbers[] = [];
  #create: () => Numbers;

  constructor(kind: typeof Uint8Array | typeof Uint32Array | typeof Float64Array) {
    this.#create = () => new kind(chunkLength);
  }

  at(index: number): number {
    return this.#chunks[Math.floor(index / chunkLength)]?.[index % chunkLength] ?? 0;
  }

  set(index: number, value: number): void {
    const nth = Math.floor(index / chunkLength);
    while (this.#chunks.length <= nth) this.#chunks.push(this.#create());
    (this.#chunks[nth] as Numbers)[index % chunkLength] = value;
  }
}

const smallestTable = 1_024;
const fullest = 0.85;
const growth = 1.25;

/** A hash table of entries, which are numbers from 0 on. What an entry is, and how it is compared, is known to the owner alone. */
export class EntryTable {
  /** Entries plus 1; 0 is free. */
  #slots = new Uint32Array(smallestTable);
  #count = 0;
  #hashOf: (entry: number) => number;

  constructor(hashOf: (entry: number) => number) {
    this.#hashOf = hashOf;
  }

  find(hash: number, isIt: (entry: number) => boolean): number | undefined {
    for (let slot = hash % this.#slots.length; ; slot = (slot + 1) % this.#slots.length) {
      const taken = this.#slots[slot] as number;
      if (taken === 0) return undefined;
      if (isIt(taken - 1)) return taken - 1;
    }
  }

  add(entry: number): void {
    if (this.#count >= this.#slots.length * fullest) this.#grow();
    this.#put(entry + 1);
    this.#count++;
  }

  /** The table stays as large as it is. */
  clear(): void {
    this.#slots.fill(0);
    this.#count = 0;
  }

  #put(taken: number): void {
    let slot = this.#hashOf(taken - 1) % this.#slots.length;
    while (this.#slots[slot] !== 0) slot = (slot + 1) % this.#slots.length;
    this.#slots[slot] = taken;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(Math.ceil(before.length * growth));
    for (const taken of before) if (taken !== 0) this.#put(taken);
  }
}
