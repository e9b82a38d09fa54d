import type { Database } from '../../../ground/database/database.ts';
import type { CompanyMemory } from './company.ts';
import { Follower } from './follower.ts';

/** A million activities and 100,000 people take 40 MB. The company that was asked about last stays, however large it is. */
const mostBytes = 100 * 2 ** 20;

/** The companies that reports were asked about lately. They catch up with changes when a report is read. */
export class Companies {
  readonly #on: Database;
  readonly #kept = new Map<number, Follower>();
  readonly #storedFromRows: number | undefined;

  constructor(on: Database, { storedFromRows }: { storedFromRows?: number } = {}) {
    this.#on = on;
    this.#storedFromRows = storedFromRows;
  }

  /** What `answer` says about a company as it is now. It is called at once after reading, before anything else can be read. */
  async ask<Answer>(workspaceId: number, answer: (company: CompanyMemory) => Answer): Promise<Answer> {
    const follower = this.#kept.get(workspaceId) ?? this.#follower(workspaceId);
    this.#kept.delete(workspaceId);
    this.#kept.set(workspaceId, follower);
    await follower.catchUp();
    follower.note();
    this.#forgetOthers();
    return answer(follower.company);
  }

  /** Reads companies before their first report, one after the other, for as long as there is room. */
  async readAhead(workspaceIds: readonly number[]): Promise<void> {
    for (const workspaceId of workspaceIds) {
      if (this.#kept.has(workspaceId)) continue;
      const follower = this.#follower(workspaceId);
      this.#kept.set(workspaceId, follower);
      await follower.catchUp();
      if (this.#bytes <= mostBytes || this.#kept.size === 1) continue;
      this.#kept.delete(workspaceId);
      return;
    }
  }

  #follower(workspaceId: number): Follower {
    return new Follower(this.#on, workspaceId, this.#storedFromRows);
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
