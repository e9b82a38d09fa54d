import type { Queryable } from '../../../ground/database/database.ts';
import { CompanyMemory } from './company.ts';

/** A million activities and 100,000 people take 40 MB. The company that was asked about last stays, however large it is. */
const mostBytes = 100 * 2 ** 20;

/** The companies that reports were asked about lately. They catch up with changes when a report is read. */
export class Companies {
  readonly #on: Queryable;
  readonly #kept = new Map<number, Follower>();

  constructor(on: Queryable) {
    this.#on = on;
  }

  /** What `answer` says about a company as it is now. It is called at once after reading, before anything else can be read. */
  async ask<Answer>(workspaceId: number, answer: (company: CompanyMemory) => Answer): Promise<Answer> {
    const follower = this.#kept.get(workspaceId) ?? new Follower(this.#on, workspaceId);
    this.#kept.delete(workspaceId);
    this.#kept.set(workspaceId, follower);
    await follower.catchUp();
    this.#forgetOthers();
    return answer(follower.company);
  }

  /** Reads companies before their first report, one after the other, for as long as there is room. */
  async readAhead(workspaceIds: readonly number[]): Promise<void> {
    for (const workspaceId of workspaceIds) {
      if (this.#kept.has(workspaceId)) continue;
      const follower = new Follower(this.#on, workspaceId);
      this.#kept.set(workspaceId, follower);
      await follower.catchUp();
      if (this.#bytes <= mostBytes || this.#kept.size === 1) continue;
      this.#kept.delete(workspaceId);
      return;
    }
  }

  get #bytes(): number {
    return this.#kept.values().reduce((sum, { company }) => sum + company.bytes, 0);
  }

  #forgetOthers(): void {
    let bytes = this.#bytes;
    for (const [workspaceId, { company }] of this.#kept) {
      if (bytes <= mostBytes || this.#kept.size === 1) return;
      bytes -= company.bytes;
      this.#kept.delete(workspaceId);
    }
  }
}

/** One reading at a time. Those who ask meanwhile share the next one: the one under way may have begun before what they know of. */
class Follower {
  readonly company: CompanyMemory;
  readonly #on: Queryable;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(on: Queryable, workspaceId: number) {
    this.#on = on;
    this.company = new CompanyMemory(workspaceId);
  }

  catchUp(): Promise<void> {
    if (!this.#running) return this.#start();
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null;
        return this.catchUp();
      });
    return this.#next;
  }

  #start(): Promise<void> {
    const running = this.company.follow(this.#on).finally(() => {
      if (this.#running === running) this.#running = null;
    });
    this.#running = running;
    return running;
  }
}
