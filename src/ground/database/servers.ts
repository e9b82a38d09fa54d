import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { unavailable } from '../errors.ts';
import { urlsOfServers } from '../values/database-url.ts';

/**
 * Connects to the one of several servers that takes writes: the driver itself knows one server only. All connections of a URL go to the same
 * server. When another one takes over, those that are left on the former one are cut, also while it hangs.
 */
interface Servers {
  urls: readonly string[];
  /** The server that took writes when it was last looked for. */
  chosen: string | null;
  /** The latest timeline that was seen. A failover begins a new one: a server of an earlier one was replaced, though it may still take writes. */
  timeline: number;
  /** Whether the chosen one has to be looked for again. */
  isInDoubt: boolean;
  /** Shared by all who ask at the same time, and for a moment after it found no server. */
  search: Promise<string> | null;
  open: Set<ServerClient>;
}

const answerTimeoutMs = 1_000;
const pauseMs = 250;
/** How long other servers may take to say that they have taken over, after the first that takes writes. */
const othersMs = 300;
const serversByUrl = new Map<string, Servers>();

function serversOf(url: string): Servers | null {
  const known = serversByUrl.get(url);
  if (known) return known;
  const urls = urlsOfServers(url) ?? [url];
  if (urls.length === 1 && urls[0] === url) return null;
  const servers = { urls, chosen: null, timeline: 0, isInDoubt: true, search: null, open: new Set<ServerClient>() };
  serversByUrl.set(url, servers);
  return servers;
}

/** A connection to the server that takes writes. With a URL of one server, the driver's own connection. */
export class ServerClient extends pg.Client {
  protected readonly socket: Socket;
  readonly #servers: Servers | null;
  #url: string | null = null;

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket();
    const servers = serversOf(config.connectionString ?? '');
    super({ ...config, ...(servers && { connectionString: servers.urls[0] as string }), stream: () => socket });
    this.socket = socket;
    this.#servers = servers;
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const servers = this.#servers;
    if (!servers) return callback ? void super.connect(callback) : (super.connect() as Promise<never>);
    const connected = this.#connectTo(servers);
    if (!callback) return connected;
    connected.then(() => callback(null as never), callback);
  }

  async #connectTo(servers: Servers): Promise<this> {
    const url = await findWritable(servers);
    // A pool that has waited for too long has given this connection up.
    if (this.socket.destroyed) throw new Error('timeout expired');
    Object.assign(this, addressOf(url));
    this.#url = url;
    servers.open.add(this);
    this.once('end', () => servers.open.delete(this));
    try {
      await super.connect();
    } catch (error) {
      this.doubt();
      servers.open.delete(this);
      throw error;
    }
    return this;
  }

  /** The server did not answer, or takes no writes: the next connection looks for the one that does. */
  doubt(): void {
    if (this.#servers && this.#servers.chosen === this.#url) this.#servers.isInDoubt = true;
  }

  /** Throws if the session can no longer write, where there are other servers that might. */
  async expectWritable(): Promise<void> {
    if (!this.#servers || (await writableTimeline(this)) !== null) return;
    this.doubt();
    throw unavailable(new Error('The server takes no writes any more.'));
  }

  /** Cuts the connection if it is not to the chosen server. */
  cutUnlessChosen(): void {
    if (this.#url === this.#servers?.chosen) return;
    this.socket.destroy(new Error('timeout: another server has taken over'));
  }
}

function findWritable(servers: Servers): Promise<string> {
  if (servers.chosen !== null && !servers.isInDoubt) return Promise.resolve(servers.chosen);
  if (servers.search) return servers.search;
  const end = () => {
    servers.search = null;
  };
  const found = search(servers);
  servers.search = found;
  found.then(end, () => setTimeout(end, pauseMs).unref());
  return found;
}

interface Seen {
  url: string;
  isWritable: boolean;
  /** The one that it writes or, as a standby, has followed last. */
  timeline: number;
}

/** Asks all servers at the same time, because one that hangs would use up the time of a request. */
async function search(servers: Servers): Promise<string> {
  const looks = servers.urls.map((url) => lookAt(url, (client) => readSeen(client, url)));
  const current = looks.map(async (look) => expectCurrent(await look, servers.timeline));
  const first = await Promise.any(current).catch(async (error: AggregateError) => {
    const undone = findUndone(await Promise.allSettled(looks));
    if (undone) return undone;
    throw unavailable(error.errors[0]);
  });
  const found = await latestOf(first, current);
  servers.chosen = found.url;
  servers.timeline = found.timeline;
  servers.isInDoubt = false;
  for (const client of servers.open) client.cutUnlessChosen();
  return found.url;
}

/**
 * The one of the latest timeline: a server that was replaced may still take writes, and a new process has seen no timeline. A server that hangs is not
 * waited for long.
 */
async function latestOf(first: Seen, current: readonly Promise<Seen>[]): Promise<Seen> {
  let latest = first;
  const compared = current.map(async (look) => {
    const seen = await look.catch(() => first);
    if (seen.timeline > latest.timeline) latest = seen;
  });
  await Promise.race([Promise.all(compared), sleep(othersMs, undefined, { ref: false })]);
  return latest;
}

function expectCurrent(seen: Seen, timeline: number): Seen {
  if (!seen.isWritable) throw new Error('No server of DATABASE_URL takes writes.');
  if (seen.timeline < timeline) throw new Error('The server was replaced by another one of DATABASE_URL.');
  return seen;
}

/**
 * The server of an earlier timeline that takes writes, if the failover from it was undone: all others respond, and have gone back to its timeline
 * as its standbys. What was written meanwhile is lost, and the check of the history notices that.
 */
function findUndone(looks: PromiseSettledResult<Seen>[]): Seen | null {
  const seen = looks.flatMap((look) => (look.status === 'fulfilled' ? [look.value] : []));
  const writable = seen.filter(({ isWritable }) => isWritable);
  const [only] = writable;
  if (!only || writable.length > 1 || seen.length < looks.length) return null;
  return seen.every(({ timeline }) => timeline <= only.timeline) ? only : null;
}

async function readSeen(client: pg.ClientBase, url: string): Promise<Seen> {
  const own = await writableTimeline(client);
  return { url, isWritable: own !== null, timeline: own ?? (await followedTimeline(client)) };
}

async function lookAt<T>(url: string, read: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'giftwire search',
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await read(client);
  } finally {
    client.end().catch(() => {});
  }
}

/** Infinity where the role may not ask: such a standby may have any timeline. */
async function followedTimeline(client: pg.ClientBase): Promise<number> {
  return client
    .query<{ timeline: number }>(
      `select greatest(c.timeline_id, r.min_recovery_end_timeline) as timeline
         from pg_control_checkpoint() c, pg_control_recovery() r`,
    )
    .then(
      ({ rows }) => rows[0]?.timeline ?? Number.POSITIVE_INFINITY,
      () => Number.POSITIVE_INFINITY,
    );
}

/** The timeline that the server writes; null if it takes no writes. */
async function writableTimeline(client: pg.ClientBase): Promise<number | null> {
  const { rows } = await client.query<{ timeline: number | null }>(
    `select case when not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
                 then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`,
  );
  return rows[0]?.timeline ?? null;
}

function addressOf(url: string): { host: string; port: number } {
  const { host, port } = new pg.Client(url);
  return { host, port };
}

/** What a server of a URL was found to be. `startedAt`: two names of one server have the same. */
export type ServerState =
  | { server: string; is: 'unreachable'; reason: string }
  | { server: string; is: 'standby' | 'read-only' }
  | { server: string; is: 'writable'; timeline: number; startedAt: string };

/** Looks at all servers of a URL, as the search for the one that takes writes does. Empty: it names one server only. */
export async function readServerStates(url: string): Promise<ServerState[]> {
  const urls = serversOf(url)?.urls ?? [];
  return urls.length < 2 ? [] : Promise.all(urls.map(readState));
}

async function readState(url: string): Promise<ServerState> {
  const { host, port } = addressOf(url);
  const server = host.startsWith('/') ? host : `${host}:${port}`;
  try {
    return await lookAt(url, async (client) => {
      const { rows } = await client.query<{ isStandby: boolean; startedAt: string }>(
        `select pg_is_in_recovery() as "isStandby", extract(epoch from pg_postmaster_start_time())::text as "startedAt"`,
      );
      const { isStandby = false, startedAt = '' } = rows[0] ?? {};
      const timeline = await writableTimeline(client);
      if (timeline !== null) return { server, is: 'writable' as const, timeline, startedAt };
      return { server, is: isStandby ? ('standby' as const) : ('read-only' as const) };
    });
  } catch (error) {
    return { server, is: 'unreachable', reason: reasonOf(error) };
  }
}

/** An error about several addresses of one name has no message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  return message || (code ?? 'no answer');
}
