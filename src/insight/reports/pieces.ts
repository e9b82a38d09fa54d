import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../ground/errors.ts';

export type Rows = Record<string, unknown>[];

/** A part of a file: rows, or lines that are CSV already. */
export type FilePart = Rows | Buffer;

const patienceMs = 15_000;
const againAfterMs = 500;
/** How many pieces are read ahead where they do not depend on each other: so that PostgreSQL and this process both have work. */
export const piecesAhead = 2;

/**
 * Reads a long report in pieces, each with its own statement, so that a slow client holds neither a transaction nor a
 * connection. `ahead` pieces are read while the client takes the one before them.
 *
 * If the database goes away after the first piece, reading is retried for a while: the file has begun, and its status can no
 * longer become an error. If the first piece fails, the client gets that error.
 */
export async function* readPieces<Piece, Part extends FilePart>(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  read: (piece: Piece) => Promise<Part>,
  ahead = 0,
): AsyncGenerator<Part> {
  const reading: Promise<Part>[] = [];
  let deadline = 0;
  for await (const piece of pieces) {
    if (deadline > 0 && ahead > 0) {
      reading.push(begun(readUntil(deadline, () => read(piece))));
      if (reading.length <= ahead) continue;
      yield await (reading.shift() as Promise<Part>);
    } else yield await readUntil(deadline, () => read(piece));
    deadline = performance.now() + patienceMs;
  }
  yield* reading;
}

/** A client that goes away leaves pieces without a reader: their errors have no effect. */
export function begun<Part>(part: Promise<Part>): Promise<Part> {
  part.catch(() => {});
  return part;
}

async function readUntil<Part>(deadline: number, read: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const isPassing = error instanceof Failure && error.kind === 'unavailable';
      if (!isPassing || performance.now() > deadline) throw error;
      await sleep(againAfterMs, undefined, { ref: false });
    }
  }
}
