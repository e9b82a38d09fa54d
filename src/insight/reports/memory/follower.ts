import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '../../../ground/database/database.ts';
import { CompanyMemory } from './company.ts';
import { isLarge, loadSnapshot, lockSnapshot, noteRead, storeSnapshot } from './snapshots.ts';

/** From how many people and activities on the snapshot of a company is stored. Fewer are read in a moment. */
const storedFromRows = 20_000;
/** A snapshot is stored again after this share of changes, or this many events and activities if those are more. */
const storedAgainAfter = { share: 0.05, changes: 50_000 };
const lookAgainMs = 100;
const noteEveryMs = 3_600_000;

/** One reading at a time. Those who ask meanwhile share the next one: the one under way may have begun before what they know of. */
export class Follower {
  readonly company: CompanyMemory;
  readonly #on: Database;
  readonly #storedFromRows: number;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  /** How many changes the stored snapshot has; null if this company is not stored. */
  #stored: number | null = null;
  #storing: Promise<void> | null = null;
  #notedAt = Number.NEGATIVE_INFINITY;

  constructor(on: Database, workspaceId: number, fromRows = storedFromRows) {
    this.#on = on;
    this.#storedFromRows = fromRows;
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

  /** Notes that a report was read. The report does not wait for it. */
  note(): void {
    if (this.#stored === null || performance.now() - this.#notedAt < noteEveryMs) return;
    this.#notedAt = performance.now();
    noteRead(this.#on, this.company.workspaceId).catch(() => {});
  }

  #start(): Promise<void> {
    const running = this.#read().finally(() => {
      if (this.#running === running) this.#running = null;
    });
    this.#running = running;
    return running;
  }

  async #read(): Promise<void> {
    const { company } = this;
    if (company.contents === null && (await isLarge(this.#on, company.workspaceId, this.#storedFromRows)))
      await this.#begin();
    await company.follow(this.#on);
    if (this.#isOutdated)
      this.#storing ??= this.#storeAgain()
        .catch(() => {})
        .finally(() => (this.#storing = null));
  }

  /**
   * Begins with the stored snapshot. Without one, a single process reads the company and stores it, while the others wait: two who read at the same
   * time would take longer. The lock ends with the transaction, so that a process that is killed holds up no other.
   */
  async #begin(): Promise<void> {
    const begin = async (tx: Queryable): Promise<boolean> => {
      if (!(await lockSnapshot(tx, this.company.workspaceId))) return false;
      const stored = await loadSnapshot(tx, this.company.workspaceId);
      if (stored) {
        this.company.beginWith(stored);
        this.#stored = this.#changes;
      }
      await this.company.follow(tx);
      // Without a snapshot, reports are as right. The next process that starts reads the company itself.
      if (this.#isOutdated) await this.#store(tx).catch(() => {});
      return true;
    };
    while (!(await this.#on.transaction(begin))) await sleep(lookAgainMs);
  }

  async #storeAgain(): Promise<void> {
    await this.#on.transaction(async (tx) => {
      if (await lockSnapshot(tx, this.company.workspaceId)) await this.#store(tx);
    });
  }

  /** The contents are copied before anything else can change them. */
  async #store(tx: Queryable): Promise<void> {
    const { workspaceId, contents } = this.company;
    if (!contents) return;
    const changes = this.#changes;
    await storeSnapshot(tx, workspaceId, contents);
    this.#stored = changes;
  }

  /** How many events and activities it has read. */
  get #changes(): number {
    const { position } = this.company.contents ?? {};
    return position ? position.event + position.activities : 0;
  }

  get #isOutdated(): boolean {
    const { people, activities } = this.company;
    const rows = people.count + activities.count;
    const most = Math.max(storedAgainAfter.changes, storedAgainAfter.share * rows);
    return rows >= this.#storedFromRows && (this.#stored === null || Math.abs(this.#changes - this.#stored) > most);
  }
}
