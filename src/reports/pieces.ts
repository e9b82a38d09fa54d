import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../errors.ts';

export type Rows = Record<string, unknown>[];

const patienceMs = 15_000;
const againAfterMs = 500;

/**
 * Reads a long report piece by piece, each with a statement of its own: neither a transaction nor a connection is held
 * while a client takes its time.
 *
 * If the database goes away in the middle, the piece is read again for a while, because the file has begun and cannot
 * turn into an error any more. The first piece is not: its failure is the answer.
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
