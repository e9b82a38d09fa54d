import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { checkHistory, watchHistory } from './history.ts';
import { ServerClient } from './servers.ts';
import { readSessionState } from './session-state.ts';

const heartbeatMs = 250;
const reconnectMs = 500;
const answerTimeoutMs = 1_000;

/** `payload` is null where notifications may have been missed before. */
export type OnNotice = (payload: string | null) => void;

/**
 * Receives the notifications (NOTIFY) of a channel on a connection of its own, and connects again when that is lost.
 * Reports how stale it may be, so that callers can stop trusting their cache. Its heartbeat follows the history of the database.
 */
export class Listener {
  readonly #url: string;
  readonly #channel: string;
  readonly #onNotice: OnNotice;
  readonly #closing = new AbortController();
  readonly #listening: Promise<void>;
  #heardAllUntil = Number.NEGATIVE_INFINITY;

  constructor(url: string, channel: string, onNotice: OnNotice) {
    this.#url = url;
    this.#channel = channel;
    this.#onNotice = onNotice;
    this.#listening = this.#keepListening();
  }

  /** Whether every notification that is older than this has arrived. */
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
    const client = new ServerClient({
      connectionString: this.#url,
      application_name: 'giftwire listener',
      keepAlive: true,
      connectionTimeoutMillis: answerTimeoutMs,
      query_timeout: answerTimeoutMs,
    });
    // The next heartbeat fails on a lost connection.
    client.on('error', () => {});
    try {
      await client.connect();
      const known = await checkHistory(client, this.#url, (withHistory) =>
        readSessionState(client, 'select true', withHistory),
      );
      await this.#hearOneself(client);
      client.on('notification', ({ payload = '' }) => this.#onNotice(payload));
      this.#onNotice(null);
      while (!this.#closing.signal.aborted) {
        const asked = performance.now();
        await (known ? watchHistory(client, this.#url, known) : client.query(''));
        await client.expectWritable();
        this.#heardAllUntil = asked;
        await this.#pause(heartbeatMs);
      }
    } catch (error) {
      client.doubt();
      throw error;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Sends itself a notification: a pooler may accept the LISTEN and never deliver any. */
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
    if (!heard) throw new Error('notifications do not arrive on this connection');
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => {});
  }
}
