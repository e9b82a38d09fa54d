import { digestOf } from './digest.ts';
import { EntryTable, Packed } from './packed.ts';

/** Finds entries, which are numbers from 0 on, by a text. Only digests of the texts are kept. */
export class KeyTable {
  #high = new Packed(Uint32Array);
  #low = new Packed(Uint32Array);
  #table = new EntryTable((entry) => this.#low.at(entry));

  add(entry: number, key: string): void {
    const { high, low } = digestOf(key);
    this.#high.set(entry, high);
    this.#low.set(entry, low);
    this.#table.add(entry);
  }

  clear(): void {
    this.#table.clear();
  }

  find(key: string): number | undefined {
    const { high, low } = digestOf(key);
    return this.#table.find(low, (entry) => this.#low.at(entry) === low && this.#high.at(entry) === high);
  }
}

const filterBits = 2 ** 25;

/**
 * Texts of which it is known that they were added, or probably not: a Bloom filter of 4 MB, however many texts there are. Among two
 * million texts it takes one text in a hundred for an added one although it is not.
 */
export class KeyFilter {
  #words = new Uint32Array(filterBits / 32);

  add(key: string): void {
    const { high, low } = digestOf(key);
    this.#set(high % filterBits);
    this.#set(low % filterBits);
  }

  mayHave(key: string): boolean {
    const { high, low } = digestOf(key);
    return this.#has(high % filterBits) && this.#has(low % filterBits);
  }

  #set(bit: number): void {
    const word = Math.floor(bit / 32);
    this.#words[word] = (this.#words[word] as number) | (1 << (bit % 32));
  }

  #has(bit: number): boolean {
    return ((this.#words[Math.floor(bit / 32)] as number) & (1 << (bit % 32))) !== 0;
  }
}
