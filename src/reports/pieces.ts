import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../errors.ts';

export type Rows = Record<string, unknown>[];

const patienceMs = 15_000;
const againAfterMs = 500;

/**
 * Reads a long report in pieces, each with its own statement, so that a slow client holds neither a transaction nor a
 * connection.
 *
 * If the database goes away after the first piece, reading is retried for a while: the file has begun, and its status can no
 * longer become an error. If the first piece fails, the client gets that error.
 */
export async function* readPieces<Piece>(
  pieces: Iterable<Piece>,
  read: (piece: Piece) => Promise<Rows>,
): AsyncGenerator<Rows> {
  let deadline = 0;
  for (const piece of pieces) {
    yield await readUntil(deadline, () => read(piece));
    deadline = Date.now() + patienceMs;
  }
}

async function readUntil(deadline: number, read: () => Promise<Rows>): Promise<Rows> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const isPassing = error instanceof Failure && error.kind === 'unavailable';
      if (!isPassing || Date.now() > deadline) throw error;
      await sleep(againAfterMs, undefined, { ref: false });
    }
  }
}
