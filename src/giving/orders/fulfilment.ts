import { lockWorkspace, tryLockWorkspace } from '../../company/workspaces/lock.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { isConflict, isIntegrityViolation, isOwnFault } from '../../ground/database/errors.ts';
import { runSteps, tellSteps } from '../../ground/database/run-steps.ts';
import { countChangesAtCommit, refreshStatistics } from '../../ground/database/statistics.ts';
import { Failure, unavailable } from '../../ground/errors.ts';
import type { GiftTokenKeys } from '../gifts/token-keys.ts';
import { failOrder, fulfilOrders } from './fulfil.ts';
import type { FinishedOrders, FulfilStep } from './order-steps.ts';
import { type Claimed, claimPending, readWaitingWorkspaces } from './pending.ts';
import { Postponed } from './postponed.ts';
import { type Left, type StepAside, Turns } from './turns.ts';

export interface FulfilmentOptions {
  database: Database;
  keys: GiftTokenKeys;
  /** Throws if the schema is not the one that this version knows. */
  checkSchema: (tx: Queryable) => Promise<void>;
  /** What else happens when orders are completed or fail. */
  steps: readonly FulfilStep[];
  /** An order is tried again later, or the whole workspace if requestId is null. */
  onPostponed(workspaceId: number, requestId: string | null, error: unknown): void;
}

/** The state of a workspace's fulfilment. */
interface Progress {
  /** Pending orders before this number are finished. */
  from: number;
  /** How many orders the next batch may have. */
  size: number;
  postponed: Postponed;
}

const turnsAtATime = 4;
// An import or a large group of SCIM may hold a workspace's lock for long. This many workspaces wait for theirs, each with a connection
// and beside those turns; others try again a moment later.
const mostWaiting = 2;
const lockedPauseMs = 50;
const maxOrders = 500;
// Other writers of the workspace wait until a batch ends. Its number of gifts follows how long batches take on this machine.
const wantedMs = 200;
const [fewestGifts, mostGifts] = [250, 5_000];
// A batch of this size may have added enough people that the planner has to know of them before the next one: with plans for an
// empty table the second thousand gifts of a new workspace took 1.6 s, and 0.1 s after a refresh.
const largeBatch = 250;
const maxNoted = 10_000;
const overdueAfterSeconds = 10;
const busyPauseMs = 500;
const brokenPauseMs = 5_000;

/**
 * Fulfils pending orders in batches, one transaction each. Workspaces take turns. Orders that have an outcome are skipped,
 * so that a doubled or stale wake-up changes nothing.
 *
 * | What goes wrong | What happens |
 * |---|---|
 * | the order's own fault (its data) | the batch is halved until the order is alone, then it is FAILED |
 * | a conflict, a time-out, a doubled key or missing row | the batch is halved, and the order that still fails is tried again later |
 * | the database or the program | the workspace is tried again later |
 * | a step, because of data | the batch is halved, and the order that still fails is tried again later |
 * | a step, for any other reason | the workspace is tried again later |
 *
 * An unknown schema can cause any error, so every transaction checks the schema first, also the one that writes FAILED.
 */
export class Fulfilment {
  readonly #options: FulfilmentOptions;
  readonly #progress = new Map<number, Progress>();
  /** By workspace, the number behind the newest order that a batch had. */
  readonly #seen = new Map<number, number>();
  #maxGifts = 1_000;
  /** How many turns wait for the lock of their workspace. */
  #waiting = 0;
  readonly #turns = new Turns({
    atATime: turnsAtATime,
    take: (workspaceId, stepAside) => this.#takeTurn(workspaceId, stepAside),
  });

  constructor(options: FulfilmentOptions) {
    this.#options = options;
  }

  /**
   * Says that this order of the workspace is waiting, or any where no number is given. Wake-ups may come in another order than
   * the orders were accepted in, so the next batch begins behind the last order that was seen, unless this one is older.
   */
  wake(workspaceId: number, number = 0): void {
    const from = Math.min(number, this.#seen.get(workspaceId) ?? 0);
    const progress = this.#progress.get(workspaceId);
    if (progress) progress.from = Math.min(progress.from, from);
    else this.#progress.set(workspaceId, { from, size: maxOrders, postponed: new Postponed() });
    this.#turns.wake(workspaceId);
  }

  /** Wakes every workspace with waiting orders. Returns how many had an overdue order and had not been woken. */
  async wakeAll(): Promise<number> {
    const waiting = await readWaitingWorkspaces(this.#options.database);
    const forgotten = waiting.filter(
      ({ workspaceId, oldestAgeSeconds }) => oldestAgeSeconds > overdueAfterSeconds && !this.#progress.has(workspaceId),
    );
    for (const { workspaceId, oldest } of waiting) this.wake(workspaceId, oldest);
    return forgotten.length;
  }

  /** Resolves when no order is left that can be fulfilled now. */
  idle(): Promise<void> {
    return this.#turns.idle();
  }

  /** Begins no further batch, and resolves when those under way have ended. */
  stop(): Promise<void> {
    return this.#turns.stop();
  }

  async #takeTurn(workspaceId: number, stepAside: StepAside): Promise<Left> {
    const progress = this.#progress.get(workspaceId) as Progress;
    const from = progress.from;
    // A wake-up that comes during the turn lowers this again.
    progress.from = Number.POSITIVE_INFINITY;
    const { due, notYet } = progress.postponed.split();
    const batch: Batch = {
      workspaceId,
      from,
      size: progress.size,
      except: notYet,
      stepAside,
      isLocked: false,
      claimed: [],
      isIssued: false,
    };
    try {
      const next = await this.#runBatch(batch);
      progress.size = Math.min(maxOrders, progress.size * 2);
      progress.from = Math.min(progress.from, next);
      for (const number of due) if (number >= from && number < next) progress.postponed.forget(number);
    } catch (error) {
      progress.from = Math.min(progress.from, from);
      const pause = await this.#handle(error, batch, progress);
      if (pause !== null) return { afterMs: pause, untilThen: 'pauses' };
    }
    return this.#whatIsLeft(workspaceId, progress);
  }

  #note(workspaceId: number, last: number): void {
    if (this.#seen.size > maxNoted) this.#seen.clear();
    this.#seen.set(workspaceId, Math.max(last + 1, this.#seen.get(workspaceId) ?? 0));
  }

  #pace(gifts: number, ms: number): void {
    if (ms > 2 * wantedMs) this.#maxGifts = Math.max(fewestGifts, this.#maxGifts >> 1);
    else if (ms < wantedMs && gifts >= this.#maxGifts) this.#maxGifts = Math.min(mostGifts, this.#maxGifts * 2);
  }

  #whatIsLeft(workspaceId: number, progress: Progress): Left {
    if (progress.from !== Number.POSITIVE_INFINITY) return 'more';
    const again = progress.postponed.next();
    if (again === null) {
      this.#progress.delete(workspaceId);
      return 'nothing';
    }
    progress.from = again.number;
    return { afterMs: again.afterMs };
  }

  /** Returns the number at which the next batch begins; infinity if no order is left. */
  async #runBatch(batch: Batch): Promise<number> {
    const { database, steps } = this.#options;
    const { workspaceId } = batch;
    const { finished, gifts, last, next, lockedAt } = await database.transaction((tx) => this.#fulfilBatch(tx, batch));
    if (last !== null) this.#note(workspaceId, last);
    this.#pace(gifts, performance.now() - lockedAt);
    if (finished) tellSteps(steps, finished);
    if (gifts >= largeBatch) await refreshStatistics(database).catch(() => {});
    return next ?? Number.POSITIVE_INFINITY;
  }

  async #fulfilBatch(tx: Queryable, batch: Batch) {
    const { keys, checkSchema } = this.#options;
    const { workspaceId } = batch;
    await checkSchema(tx);
    const moment = await this.#lock(tx, batch);
    const lockedAt = performance.now();
    const limits = { maxOrders: batch.size, maxGifts: this.#maxGifts };
    const { claimed, last, next } = await claimPending(tx, { ...batch, ...limits });
    batch.claimed = claimed;
    if (claimed.length === 0) return { finished: null, gifts: 0, last, next, lockedAt };
    const due = claimed.map((order) => ({ ...order, moment }));
    const completed = await fulfilOrders(tx, keys, workspaceId, due);
    batch.isIssued = true;
    const sinceClaim = (performance.now() - lockedAt) / 1_000;
    const waitedSeconds = claimed.map((order) => order.waitedSeconds + sinceClaim);
    const finished: FinishedOrders = { workspaceId, moment, completed, failed: [], waitedSeconds };
    await runSteps(this.#options.steps, tx, finished);
    const gifts = claimed.reduce((sum, order) => sum + order.gifts, 0);
    if (gifts >= largeBatch) await countChangesAtCommit(tx);
    return { finished, gifts, last, next, lockedAt };
  }

  /** Locks the batch's workspace. While another writer has the lock, the turn waits beside those turns, or not at all. */
  async #lock(tx: Queryable, batch: Batch): Promise<string> {
    const moment = await tryLockWorkspace(tx, batch.workspaceId);
    if (moment !== null) return moment;
    batch.isLocked = this.#waiting >= mostWaiting;
    if (batch.isLocked) throw unavailable();
    this.#waiting++;
    try {
      return await batch.stepAside(lockWorkspace(tx, batch.workspaceId));
    } finally {
      this.#waiting--;
    }
  }

  /** Returns how long the workspace has to pause, or null if it continues at once. */
  async #handle(error: unknown, batch: Batch, progress: Progress): Promise<number | null> {
    const { workspaceId, claimed, isLocked } = batch;
    if (isLocked) return lockedPauseMs;
    const [first] = claimed;
    if (first && claimed.length > 1 && mayBeOneOrder(error)) {
      progress.size = claimed.length >> 1;
      return null;
    }
    const isAtFault = first !== undefined && isOwnFault(error) && !batch.isIssued;
    const problem = isAtFault ? await this.#fail(workspaceId, first, (error as Error).message) : error;
    if (problem === null) return null;
    if (!first || !mayBeOneOrder(problem)) return this.#pause(workspaceId, problem);
    progress.postponed.add(first.number);
    this.#options.onPostponed(workspaceId, first.requestId, problem);
    return null;
  }

  #pause(workspaceId: number, error: unknown): number {
    if (error instanceof Failure && error.kind === 'unavailable') return busyPauseMs;
    this.#options.onPostponed(workspaceId, null, error);
    return brokenPauseMs;
  }

  /** Writes that the order has failed. Returns null, or the error if it could not be written. */
  async #fail(workspaceId: number, { requestId }: Claimed, reason: string): Promise<unknown> {
    const { database, checkSchema, steps } = this.#options;
    try {
      const finished = await database.transaction(async (tx) => {
        await checkSchema(tx);
        const moment = await lockWorkspace(tx, workspaceId);
        const failed = await failOrder(tx, workspaceId, moment, requestId, reason);
        if (failed === null) return null;
        const outcome: FinishedOrders = { workspaceId, moment, completed: [], failed: [failed], waitedSeconds: [] };
        await runSteps(steps, tx, outcome);
        return outcome;
      });
      if (finished) tellSteps(steps, finished);
      return null;
    } catch (error) {
      return error;
    }
  }
}

/** One turn's work. After an error, `claimed` and `isIssued` say which orders the batch had and how far it came. */
interface Batch {
  workspaceId: number;
  from: number;
  size: number;
  except: readonly number[];
  stepAside: StepAside;
  /** Whether the batch was not begun because another writer has the workspace's lock. */
  isLocked: boolean;
  claimed: Claimed[];
  /** Whether all gifts are issued, so that an error is no order's own fault. */
  isIssued: boolean;
}

function mayBeOneOrder(error: unknown): boolean {
  return isOwnFault(error) || isIntegrityViolation(error) || isConflict(error);
}
