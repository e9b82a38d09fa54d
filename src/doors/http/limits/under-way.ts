import { type Answer, nowhere, type Route } from '../answer.ts';

/** The answers that are under way. */
export interface UnderWay extends Iterable<Answer> {
  readonly size: number;
  /** How many of them are to visitors: their routes ask for no credential. */
  readonly visitors: number;
}

/**
 * The answers that are under way, each at its own place of one array. A Set makes a new table every few requests, and its old
 * tables refer to the new ones. Once V8 has moved one of them to its old space, it keeps all later ones, with the answers in them,
 * until it collects that space too.
 */
export class AnswersUnderWay implements UnderWay {
  readonly #answers: Answer[] = [];
  #visitors = 0;

  get size(): number {
    return this.#answers.length;
  }

  get visitors(): number {
    return this.#visitors;
  }

  /** No response is added or removed while this is read. */
  [Symbol.iterator](): Iterator<Answer> {
    return this.#answers.values();
  }

  /** Once, however often it begins. */
  add(answer: Answer): void {
    if (answer.place !== nowhere) return;
    answer.place = this.#answers.push(answer) - 1;
    if (isForVisitors(answer.route)) this.#visitors++;
  }

  /** The last one takes the place of the one that is removed. */
  remove(answer: Answer): void {
    const { place } = answer;
    if (place === nowhere) return;
    answer.place = nowhere;
    if (isForVisitors(answer.route)) this.#visitors--;
    const last = this.#answers.pop() as Answer;
    if (last === answer) return;
    this.#answers[place] = last;
    last.place = place;
  }
}

/** Routes of public areas leave their access out, and an unknown address has none. */
export function isForVisitors({ access }: Route): boolean {
  return access === undefined || access === 'public';
}
