import type { Actor } from '../../ground/contract/actor.ts';
import { Batcher } from '../../ground/database/batcher.ts';
import type { Database } from '../../ground/database/database.ts';
import type { PeopleList } from '../../ground/values/people-lists.ts';
import { audit, type NewAuditEntry } from '../workspaces/audit.ts';
import { actorOf } from './actor.ts';
import type { Grant } from './grants.ts';

export const readActions = [
  'order.codes_read',
  'gift.printed',
  'mail.read',
  'file.downloaded',
  'people.listed',
] as const;

/** What a caller reads: codes and links of gifts, which can be spent, a file, or a list with addresses or numbers of people. */
export interface Read {
  action: (typeof readActions)[number];
  /** The order, the email, the file or the list; null: several gifts. */
  subject: { id: string; name: string | null } | null;
  /** How many gifts can be spent with it. */
  gifts?: number;
  /** How many people are in the list. */
  people?: number;
}

/** A list of people with their addresses or numbers. Null: of one person, which is no bulk read. */
export function readsOfPeople(of: PeopleList, people: number): Read | null {
  return people < 2 ? null : { action: 'people.listed', subject: { id: of, name: null }, people };
}

/** A CSV file, by its name without an ending. */
export function fileRead(name: string): Read {
  return { action: 'file.downloaded', subject: { id: name, name: `${name}.csv` } };
}

/** Writes the entry of one read, for the command line: operators read rarely. */
export function auditRead(database: Database, workspaceId: number, actor: Actor, read: Read): Promise<void> {
  return store(database, entryOf({ workspaceId, actor, action: read.action }, countsOf(read)));
}

/** The reads since the latest entry. Times are in milliseconds since 1970. */
interface Counts {
  reads: number;
  gifts: number;
  people: number;
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
  /** The same for lists of people. */
  listEveryMs?: number;
  onProblem: (error: unknown) => void;
}

const usualEveryMs = 60_000;

/**
 * Screens and programs read pages of people all day: their entries are an hour apart, unless a caller has read `manyPeople` people meanwhile. An entry a minute
 * would hide all other entries.
 */
const usualListEveryMs = 3_600_000;
const manyPeople = 1_000;

const firstReads = { maxItems: 100, concurrency: 1, maxWaiting: 10_000 };

/**
 * Writes to the audit log what callers read. The entry of a first read is stored before the caller gets what they read. Later reads of
 * the same caller and kind are counted in memory, and one entry a minute has their number, so that polling costs almost nothing. A
 * process that is killed loses the counts of its last minute. A process that stops stores them.
 *
 * Lists of people are read all the time, also while the audit log cannot be written: no list waits. The entry of a first read follows within seconds, the next
 * one an hour later, or a minute later after many people.
 */
export class ReadTraces {
  readonly #database: Database;
  readonly #everyMs: number;
  readonly #listEveryMs: number;
  readonly #onProblem: Options['onProblem'];
  readonly #traces = new Map<string, Trace>();
  readonly #firstReads: Batcher<NewAuditEntry, undefined>;
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Database, { everyMs = usualEveryMs, listEveryMs = usualListEveryMs, onProblem }: Options) {
    this.#database = database;
    this.#everyMs = everyMs;
    this.#listEveryMs = listEveryMs;
    this.#onProblem = onProblem;
    this.#firstReads = new Batcher({ run: (entries) => this.#store(entries), ...firstReads });
    this.#timer = setInterval(() => void this.#write((trace) => this.#isDue(trace)), everyMs / 10).unref();
  }

  /**
   * Notes a read. The caller may get what they read once the returned promise resolves, or at once if it is null. If the promise
   * rejects, nothing was noted.
   */
  note(grant: Grant, workspaceId: number, read: Read): Promise<void> | null {
    const key = `${workspaceId} ${grant.callerId} ${read.action} ${isByName(read) ? read.subject?.id : ''}`;
    const trace = this.#traces.get(key);
    const workspace = grant.workspaces.find((one) => one.workspaceId === workspaceId);
    if (!trace) return this.#begin(key, { workspaceId, actor: actorOf(grant, workspace), action: read.action }, read);
    trace.counts = trace.counts ? add(trace.counts, countsOf(read)) : countsOf(read);
    return trace.storing;
  }

  /** Stores what was counted. No read is noted afterwards. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled([...this.#traces.values()].map(({ storing }) => storing));
    await this.#write(() => true);
  }

  #begin(key: string, about: Pick<Trace, 'workspaceId' | 'actor' | 'action'>, read: Read): Promise<void> | null {
    if (about.action === 'people.listed') {
      this.#traces.set(key, { ...about, storing: null, writtenAt: Number.NEGATIVE_INFINITY, counts: countsOf(read) });
      return null;
    }
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

  #isDue({ storing, writtenAt, action, counts }: Trace): boolean {
    const isRare = action === 'people.listed' && (counts?.people ?? 0) < manyPeople;
    return storing === null && performance.now() - writtenAt >= (isRare ? this.#listEveryMs : this.#everyMs);
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
      await store(this.#database, ...taken.map(({ trace, counts }) => entryOf(trace, counts)));
    } catch (error) {
      for (const { trace, counts } of taken) trace.counts = trace.counts ? add(counts, trace.counts) : counts;
      this.#onProblem(error);
    }
  }

  /** Each statement is about one workspace. */
  async #store(entries: readonly NewAuditEntry[]): Promise<undefined[]> {
    for (const some of Map.groupBy(entries, ({ workspaceId }) => workspaceId).values())
      await store(this.#database, ...some);
    return entries.map(() => undefined);
  }
}

function store(database: Database, ...entries: NewAuditEntry[]): Promise<void> {
  return database.transaction((tx) => audit(tx, ...entries));
}

/** Each file and each list is a kind. */
function isByName({ action }: Read): boolean {
  return action === 'file.downloaded' || action === 'people.listed';
}

function countsOf({ subject, gifts = 0, people = 0 }: Read): Counts {
  const now = Date.now();
  return { reads: 1, gifts, people, since: now, until: now, subject };
}

/** Adds later reads to earlier ones, in place. */
function add(earlier: Counts, later: Counts): Counts {
  earlier.reads += later.reads;
  earlier.gifts += later.gifts;
  earlier.people += later.people;
  earlier.until = later.until;
  if (earlier.subject?.id !== later.subject?.id) earlier.subject = null;
  return earlier;
}

function entryOf(
  { workspaceId, actor, action }: Pick<Trace, 'workspaceId' | 'actor' | 'action'>,
  { reads, gifts, people, since, until, subject }: Counts,
): NewAuditEntry {
  const span = reads === 1 ? {} : { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
  const detail = { reads, ...(gifts > 0 && { gifts }), ...(people > 0 && { people }), ...span };
  return { workspaceId, actor, action, ...(subject && { subject }), detail };
}
