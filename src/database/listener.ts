import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const heartbeatMs = 250;
const reconnectMs = 500;
const answerTimeoutMs = 1_000;

/**
 * Hears what is announced on a channel of the database (NOTIFY), over a connection of its own that comes back by itself.
 * It also knows up to when nothing can have been missed, so that whoever relies on it can stop doing so in time.
 */
export class Listener {
  readonly #url: string;
  readonly #channel: string;
  readonly #onNotice: () => void;
  readonly #closing = new AbortController();
  readonly #listening: Promise<void>;
  #heardAllUntil = Number.NEGATIVE_INFINITY;

  constructor(url: string, channel: string, onNotice: () => void) {
    this.#url = url;
    this.#channel = channel;
    this.#onNotice = onNotice;
    this.#listening = this.#keepListening();
  }

  /** Whether everything that was announced longer ago than this has been heard. */
  hasHeardAll(olderThanMs: number): boolean {
    return performance.now() - this.#heardAllUntil < olderThanMs;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#listening;
  }

  async #keepListening(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await this.#listen().catch(() => {});
      this.#heardAllUntil = Number.NEGATIVE_INFINITY;
      await this.#pause(reconnectMs);
    }
  }

  async #listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'giftwire listener',
      keepAlive: true,
      connectionTimeoutMillis: answerTimeoutMs,
      query_timeout: answerTimeoutMs,
    });
    // A lost connection shows itself in the next heartbeat.
    client.on('error', () => {});
    try {
      await client.connect();
      await this.#hearOneself(client);
      client.on('notification', this.#onNotice);
      // Whatever was announced before now may have been missed.
      this.#onNotice();
      while (!this.#closing.signal.aborted) {
        const asked = performance.now();
        await client.query('');
        this.#heardAllUntil = asked;
        await this.#pause(heartbeatMs);
      }
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** A connection pooler in between may take the LISTEN and never deliver: then this connection cannot be relied on. */
  async #hearOneself(client: pg.Client): Promise<void> {
    const word = randomUUID();
    let heard = false;
    const hear = ({ payload }: pg.Notification) => {
      heard ||= payload === word;
    };
    client.on('notification', hear);
    await client.query(`listen ${this.#channel}`);
    await client.query('select pg_notify($1, $2)', [this.#channel, word]);
    client.off('notification', hear);
    if (!heard) throw new Error('what is announced does not arrive on this connection');
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => {});
  }
}
