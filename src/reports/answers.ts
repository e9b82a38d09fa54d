import type { Queryable } from '../database/database.ts';
import { readVersion } from '../workspaces/lock.ts';
import type { Reader } from './span.ts';

/** A page of a report has a few KB, and the longest one, of 1,000 groups, 150. */
const mostAnswers = 200;

interface Kept {
  version: string;
  answer: Promise<unknown>;
}

/** Keeps what a report answers for as long as it is right. The first of several who ask at the same time lets it be read. */
export class Answers {
  readonly #on: Queryable;
  readonly #kept = new Map<string, Kept>();

  constructor(on: Queryable) {
    this.#on = on;
  }

  /**
   * The answer to a question, read again if anything in the workspace has changed, or if a new day has begun. The version is read first:
   * an answer may know more than its version says, never less.
   */
  async read<Answer>(
    { workspaceId, onlyReportsOf }: Reader,
    question: { report: string },
    read: () => Promise<Answer>,
  ): Promise<Answer> {
    const version = await readVersion(this.#on, workspaceId);
    const key = JSON.stringify([workspaceId, onlyReportsOf, question]);
    const kept = this.#kept.get(key);
    if (kept?.version === version) return kept.answer as Promise<Answer>;
    const answer = read();
    this.#keep(key, { version, answer });
    return answer;
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    kept.answer.catch(() => this.#kept.get(key) === kept && this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostAnswers && oldest !== undefined) this.#kept.delete(oldest);
  }
}
