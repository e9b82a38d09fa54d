/** How many rows have a text in the column of a field. */
export interface CountedText {
  field: string;
  text: string;
  rows: number;
}

/** More texts, and longer ones, are not what a person answers one by one. */
const mostTexts = 200;
const longestText = 100;

/** Counts the rows that have a text in the column of a field. */
export class TextCounts {
  #counts = new Map<string, CountedText>();

  add(field: string, text: string): void {
    const key = `${field} ${text.toLowerCase()}`;
    const found = this.#counts.get(key);
    if (found) found.rows++;
    else if (this.#counts.size < mostTexts && text.length <= longestText)
      this.#counts.set(key, { field, text, rows: 1 });
  }

  /** The most frequent texts first. */
  list(): CountedText[] {
    return [...this.#counts.values()].sort((one, other) => other.rows - one.rows);
  }
}
