import { setTimeout as sleep } from 'node:timers/promises';
import type { GiftSettings } from '../../../company/workspaces/gift-settings.ts';
import { inWorkspace } from '../../../company/workspaces/lock.ts';
import type { Database } from '../../../ground/database/database.ts';
import { releaseQueue } from './claim.ts';
import { type Result, saveResults, type WrittenMail } from './results.ts';

/** The number of results written in one transaction, while further emails are sent. */
const writeSize = 100;
const tryForMs = 300_000;
const tryAgainAfterMs = 500;

export interface WriterOptions {
  database: Database;
  owner: string;
  workspaceId: number;
  settings: GiftSettings;
  /** Aborted when the service stops: then nothing is tried for long. */
  signal: AbortSignal;
  onWritten: (results: readonly WrittenMail[]) => void;
  onProblem: (error: unknown) => void;
}

/**
 * Writes down what becomes of a workspace's mails. An email whose result is lost is sent a second time, so a database that does not answer
 * is asked again, also when the lease has ended: that an email was sent is true also then.
 */
export class ResultWriter {
  readonly #options: WriterOptions;
  #waiting: Result[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  add(result: Result): void {
    this.#waiting.push(result);
    if (this.#waiting.length < writeSize) return;
    const results = this.#waiting;
    this.#waiting = [];
    this.#writing = this.#writing.then(() => this.#write(results, false));
    // `finish` awaits the same promise and throws.
    this.#writing.catch(() => {});
  }

  /** Writes the rest and gives the workspace back. */
  async finish(): Promise<void> {
    await this.#writing;
    await this.#write(this.#waiting, true);
  }

  async #write(results: readonly Result[], isLast: boolean): Promise<void> {
    const { database, owner, workspaceId, settings, signal, onWritten, onProblem } = this.#options;
    const stopsAt = performance.now() + tryForMs;
    for (;;)
      try {
        await inWorkspace(database, workspaceId, async (tx) => {
          await saveResults(tx, workspaceId, settings, results);
          if (isLast) await releaseQueue(tx, owner, workspaceId);
        });
        return onWritten(results);
      } catch (error) {
        if (results.length === 0 || performance.now() > stopsAt || signal.aborted) throw error;
        onProblem(error);
        await sleep(tryAgainAfterMs, undefined, { signal }).catch(() => {});
      }
  }
}
