import { type TakeColumn, withRoom } from './columns.ts';

/**
 * What an activity counts as. What was declined or waits for approval, which is less than a gift, counts as nothing. Reports read the kinds
 * that their reader may see (visible.ts).
 */
export const declined = 0;
export const waiting = 1;
export const waitingPrivate = 2;
export const gift = 3;
export const shoutout = 4;
export const privateShoutout = 5;

/** The activities of a workspace as columns: the activity with the number n is at n - 1. Members are places in People. */
export class Activities {
  count = 0;
  receiver = new Int32Array();
  sender = new Int32Array();
  /** Days from 1970-01-01, in the workspace's time zone. */
  day = new Uint16Array();
  kind = new Uint8Array();
  #isInSequence = true;

  /** The activities whose columns, as `columns` returned them, are taken one after the other. */
  static of(count: number, take: TakeColumn): Activities {
    const activities = new Activities();
    activities.count = count;
    activities.receiver = take(Int32Array, count);
    activities.sender = take(Int32Array, count);
    activities.day = take(Uint16Array, count);
    activities.kind = take(Uint8Array, count);
    activities.#isInSequence = activities.day.every(
      (day, nth) => nth === 0 || day >= (activities.day[nth - 1] as number),
    );
    return activities;
  }

  columns(): (Int32Array | Uint16Array | Uint8Array)[] {
    return [this.receiver, this.sender, this.day, this.kind].map((column) => column.subarray(0, this.count));
  }

  add(receiver: number, sender: number, day: number, kind: number): void {
    const at = this.count++;
    this.receiver = withRoom(this.receiver, this.count);
    this.sender = withRoom(this.sender, this.count);
    this.day = withRoom(this.day, this.count);
    this.kind = withRoom(this.kind, this.count);
    this.receiver[at] = receiver;
    this.sender[at] = sender;
    this.day[at] = day;
    this.kind[at] = kind;
    if (at > 0 && day < (this.day[at - 1] as number)) this.#isInSequence = false;
  }

  /** Changes what an activity counts as, if it was read. */
  decide(number: number, kind: number): void {
    if (number <= this.count) this.kind[number - 1] = kind;
  }

  /**
   * Where the activities of these days begin and end. Times never go back as numbers grow. If rows were written by hand in another order, all
   * activities are looked through, so callers compare the day of each.
   */
  between(from: number, to: number): [begin: number, end: number] {
    if (!this.#isInSequence) return [0, this.count];
    return [this.#firstOn(from), this.#firstOn(to + 1)];
  }

  /** The first activity on a day or after it. */
  #firstOn(day: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.day[middle] as number) < day) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
