import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Client } from './client.ts';
import { inParallel } from './in-parallel.ts';
import { type Answer, hung } from './journal.ts';
import type { Order } from './orders.ts';

export interface Shot {
  key: string;
  order: Order;
}

/** Connections that are all open before the first byte is sent, so that requests really arrive at once. */
export class Volley {
  readonly #client: Client;
  readonly #sockets: Socket[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  async open(count: number): Promise<void> {
    const { hostname, port } = new URL(this.#client.url);
    await inParallel(Array.from({ length: count }), 200, async () => {
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      await once(socket, 'connect');
      socket.on('error', () => {});
      this.#sockets.push(socket);
    });
  }

  /** Each on a connection of its own, all at once. */
  async fire(shots: readonly Shot[]): Promise<Answer[]> {
    const { journal } = this.#client;
    const loaded = shots.map(({ key, order }) => ({
      attempt: journal.write(key, order),
      bytes: this.#bytes(key, order),
    }));
    return Promise.all(
      loaded.map(async ({ attempt, bytes }, index) => {
        const answer = await exchange(this.#sockets[index] as Socket, bytes, journal.hungAfterMs);
        journal.answered(attempt, answer);
        return answer;
      }),
    );
  }

  close(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy();
  }

  #bytes(key: string, order: Order): Buffer {
    const body = JSON.stringify(order);
    const headers = { Host: 'localhost', ...this.#client.headers(key), 'Content-Length': Buffer.byteLength(body) };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return Buffer.from(['POST /api/v1/orders HTTP/1.1', ...lines, '', body].join('\r\n'));
  }
}

function exchange(socket: Socket, bytes: Buffer, hungAfterMs: number): Promise<Answer> {
  const began = performance.now();
  return new Promise((resolve) => {
    let received = '';
    const finish = (answer: Partial<Answer>) => {
      clearTimeout(timer);
      socket.off('data', read).off('close', lose);
      const ms = performance.now() - began;
      resolve({ status: 0, lost: null, retryAfter: null, replayed: false, text: '', ...answer, ms });
    };
    const lose = () => finish({ lost: 'ECONNRESET' });
    const read = (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const answer = parse(received);
      if (answer) finish(answer);
    };
    const timer = setTimeout(() => {
      finish({ lost: hung });
      socket.destroy();
    }, hungAfterMs);
    if (socket.destroyed) return lose();
    socket.on('data', read).on('close', lose);
    socket.write(bytes);
  });
}

/** Null while a part of it is missing. */
function parse(received: string): Partial<Answer> | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = received.slice(0, end);
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? null;
  const text = received.slice(end + 4);
  if (text.length < Number(header('content-length'))) return null;
  return {
    status: Number(head.slice(9, 12)),
    retryAfter: header('retry-after'),
    replayed: header('idempotent-replayed') === 'true',
    text: Buffer.from(text, 'latin1').toString('utf8'),
  };
}
