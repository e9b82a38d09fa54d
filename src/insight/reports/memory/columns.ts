export type Numbers = Float64Array | Int32Array | Uint16Array | Uint8Array;

/** Takes the next column out of packed contents (packed.ts). */
export type TakeColumn = <Column extends Numbers>(Kind: new (length: number) => Column, count: number) => Column;

const firstLength = 1_024;

/** A column with room for a number of values: the same, or a longer copy of it. */
export function withRoom<Column extends Numbers>(column: Column, length: number): Column {
  if (length <= column.length) return column;
  const Longer = column.constructor as new (length: number) => Column;
  const longer = new Longer(Math.max(length, firstLength, Math.ceil(column.length * 1.5)));
  longer.set(column);
  return longer;
}

/** Numbers different values 0, 1, 2 …, in the sequence in which they come. */
export class Codes<Value> {
  readonly values: Value[] = [];
  readonly #codes = new Map<Value, number>();

  of(value: Value): number {
    const known = this.#codes.get(value);
    if (known !== undefined) return known;
    this.#codes.set(value, this.values.length);
    return this.values.push(value) - 1;
  }
}

/** Numbers different texts, and the groups of those that differ in case alone. Only the database can say which these are. */
export class Texts extends Codes<string | null> {
  /** The group of each text. */
  readonly groups: number[] = [];
  readonly #lowered = new Codes<string | null>();

  /** The texts whose group is not known yet. */
  get ungrouped(): (string | null)[] {
    return this.values.slice(this.groups.length);
  }

  /** Takes the same texts as the database lower-cases them. */
  group(lowered: readonly (string | null)[]): void {
    for (const text of lowered) this.groups.push(this.#lowered.of(text));
  }
}
