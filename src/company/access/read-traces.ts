import type { Actor } from '../../ground/contract/actor.ts';
import { Batcher } from '../../ground/database/batcher.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { audit, type NewAuditEntry } from '../workspaces/audit.ts';
import { actorOf } from './actor.ts';
import type { Grant } from './grants.ts';

export const readActions = ['order.codes_read', 'gift.printed', 'mail.read', 'file.downloaded'] as const;

/** What a caller reads: codes and links of gifts, which can be spent, or a file. */
export interface Read {
  action: (typeof readActions)[number];
  /** The order, the email or the file; null: several gifts. */
  subject: { id: string; name: string | null } | null;
  /** How many gifts can be spent with it. */
  gifts?: number;
}

/** A CSV file, by its name without an ending. */
export function fileRead(name: string): Read {
  return { action: 'file.downloaded', subject: { id: name, name: `${name}.csv` } };
}

/** Writes the entry of one read, for the command line: operators read rarely. */
export function auditRead(on: Queryable, workspaceId: number, actor: Actor, read: Read): Promise<void> {
  return audit(on, entryOf({ workspaceId, actor, action: read.action }, countsOf(read)));
}

/** The reads since the latest entry. Times are in milliseconds since 1970. */
interface Counts {
  reads: number;
  gifts: number;
  since: number;
  until: number;
  /** Null: of several things. */
  subject: Read['subject'];
}

/** What one caller reads of one kind in one workspace. */
interface Trace extends Pick<NewAuditEntry, 'workspaceId' | 'actor' | 'action'> {
  /** Resolves when the entry of the first read is stored; null afterwards. */
  storing: Promise<void> | null;
  /** When the latest entry was written, by the monotonic clock. */
  writtenAt: number;
  counts: Counts | null;
}

interface Options {
  /** The least time between two entries about the same caller and kind. */
  everyMs?: number;
  onProblem: (error: unknown) => void;
}

const usualEveryMs = 60_000;
const firstReads = { maxItems: 100, concurrency: 1, maxWaiting: 10_000 };

/**
 * Writes to the audit log what callers read. The entry of a first read is stored before the caller gets what they read. Later reads of
 * the same caller and kind are counted in memory, and one entry a minute has their number, so that polling costs almost nothing. A
 * process that is killed loses the counts of its last minute. A process that stops stores them.
 */
export class ReadTraces {
  readonly #database: Queryable;
  readonly #everyMs: number;
  readonly #onProblem: Options['onProblem'];
  readonly #traces = new Map<string, Trace>();
  readonly #firstReads: Batcher<NewAuditEntry, undefined>;
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Queryable, { everyMs = usualEveryMs, onProblem }: Options) {
    this.#database = database;
    this.#everyMs = everyMs;
    this.#onProblem = onProblem;
    this.#firstReads = new Batcher({ run: (entries) => this.#store(entries), ...firstReads });
    this.#timer = setInterval(() => void this.#write((trace) => this.#isDue(trace)), everyMs / 10).unref();
  }

  /**
   * Notes a read. The caller may get what they read once the returned promise resolves, or at once if it is null. If the promise
   * rejects, nothing was noted.
   */
  note(grant: Grant, workspaceId: number, read: Read): Promise<void> | null {
    const file = read.action === 'file.downloaded' ? read.subject?.id : '';
    const key = `${workspaceId} ${grant.callerId} ${read.action} ${file}`;
    const trace = this.#traces.get(key);
    if (!trace) return this.#begin(key, { workspaceId, actor: actorOf(grant), action: read.action }, read);
    trace.counts = trace.counts ? add(trace.counts, countsOf(read)) : countsOf(read);
    return trace.storing;
  }

  /** Stores what was counted. No read is noted afterwards. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled([...this.#traces.values()].map(({ storing }) => storing));
    await this.#write(() => true);
  }

  #begin(key: string, about: Pick<Trace, 'workspaceId' | 'actor' | 'action'>, read: Read): Promise<void> {
    const trace: Trace = { ...about, storing: null, writtenAt: performance.now(), counts: null };
    trace.storing = this.#firstReads.add(entryOf(about, countsOf(read))).then(
      () => {
        trace.storing = null;
      },
      (error) => {
        this.#traces.delete(key);
        throw error;
      },
    );
    this.#traces.set(key, trace);
    return trace.storing;
  }

  #isDue({ storing, writtenAt }: Trace): boolean {
    return storing === null && performance.now() - writtenAt >= this.#everyMs;
  }

  /** One write after the other. What cannot be written stays counted for the next. */
  #write(isDue: (trace: Trace) => boolean): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeCounts(isDue));
    return this.#writing;
  }

  async #writeCounts(isDue: (trace: Trace) => boolean): Promise<void> {
    const due = [...this.#traces].filter(([, trace]) => isDue(trace));
    for (const [key, { counts }] of due) if (counts === null) this.#traces.delete(key);
    const counted = due.map(([, trace]) => trace).filter(({ counts }) => counts !== null);
    for (const some of Map.groupBy(counted, ({ workspaceId }) => workspaceId).values()) await this.#writeSome(some);
  }

  async #writeSome(traces: readonly Trace[]): Promise<void> {
    const taken = traces.map((trace) => {
      const counts = trace.counts as Counts;
      trace.counts = null;
      trace.writtenAt = performance.now();
      return { trace, counts };
    });
    try {
      await audit(this.#database, ...taken.map(({ trace, counts }) => entryOf(trace, counts)));
    } catch (error) {
      for (const { trace, counts } of taken) trace.counts = trace.counts ? add(counts, trace.counts) : counts;
      this.#onProblem(error);
    }
  }

  /** Each statement is about one workspace. */
  async #store(entries: readonly NewAuditEntry[]): Promise<undefined[]> {
    for (const some of Map.groupBy(entries, ({ workspaceId }) => workspaceId).values())
      await audit(this.#database, ...some);
    return entries.map(() => undefined);
  }
}

function countsOf({ subject, gifts = 0 }: Read): Counts {
  const now = Date.now();
  return { reads: 1, gifts, since: now, until: now, subject };
}

/** Adds later reads to earlier ones, in place. */
function add(earlier: Counts, later: Counts): Counts {
  earlier.reads += later.reads;
  earlier.gifts += later.gifts;
  earlier.until = later.until;
  if (earlier.subject?.id !== later.subject?.id) earlier.subject = null;
  return earlier;
}

function entryOf(
  { workspaceId, actor, action }: Pick<Trace, 'workspaceId' | 'actor' | 'action'>,
  { reads, gifts, since, until, subject }: Counts,
): NewAuditEntry {
  const span = reads === 1 ? {} : { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
  const detail = { reads, ...(gifts > 0 && { gifts }), ...span };
  return { workspaceId, actor, action, ...(subject && { subject }), detail };
}
