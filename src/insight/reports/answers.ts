import { readVersion } from '../../company/workspaces/lock.ts';
import { seesAllShoutouts } from '../../giving/recognition/visibility.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { Reader } from './span.ts';

/** A page of a report has a few KB, one of 1,000 groups 150, and one of 1,000 people up to 5,000. */
const mostAnswers = 200;
/** How long all answers may be together, as JSON. In memory a character of it takes about three bytes. */
const mostLength = 10_000_000;

interface Kept {
  version: string;
  answer: Promise<unknown>;
  /** As JSON; 0 until it is read. */
  length: number;
}

/** Keeps what a report answers for as long as it is right. The first of several who ask at the same time lets it be read. */
export class Answers {
  readonly #on: Queryable;
  readonly #kept = new Map<string, Kept>();
  /** Of all kept answers. */
  #length = 0;

  constructor(on: Queryable) {
    this.#on = on;
  }

  /**
   * The answer to a question, read again if anything in the workspace has changed, or if a new day has begun. The version is read first:
   * an answer may know more than its version says, never less.
   */
  async read<Answer>(reader: Reader, question: { report: string }, read: () => Promise<Answer>): Promise<Answer> {
    const { workspaceId, onlyReportsOf, memberId } = reader;
    // Others see their own private shoutouts, which their answers count.
    const self = seesAllShoutouts(reader) ? null : memberId;
    const version = await readVersion(this.#on, workspaceId);
    const key = JSON.stringify([workspaceId, onlyReportsOf, self, question]);
    const kept = this.#kept.get(key);
    if (kept?.version === version) return kept.answer as Promise<Answer>;
    const answer = read();
    this.#keep(key, { version, answer, length: 0 });
    return answer;
  }

  #keep(key: string, kept: Kept): void {
    this.#forget(key);
    this.#kept.set(key, kept);
    const isKept = () => this.#kept.get(key) === kept;
    kept.answer.then(
      (answer) => isKept() && this.#weigh(kept, answer),
      () => isKept() && this.#forget(key),
    );
    this.#forgetOldest();
  }

  #weigh(kept: Kept, answer: unknown): void {
    kept.length = JSON.stringify(answer).length;
    this.#length += kept.length;
    this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= mostAnswers && this.#length <= mostLength) return;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#length -= this.#kept.get(key)?.length ?? 0;
    this.#kept.delete(key);
  }
}
