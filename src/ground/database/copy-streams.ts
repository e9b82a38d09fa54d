import { once } from 'node:events';
import type { Duplex, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import pg from 'pg';

/** The part of the driver's connection that COPY needs. The driver's types leave it out. */
interface CopyConnection {
  stream: Duplex;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

type Done = (error: Error | null | undefined, result?: pg.QueryResult) => void;

/** Rows are passed on together: a message of the server has one row. */
const blockBytes = 64 * 1024;

class CopyOut extends pg.Query {
  readonly #sink: Writable;
  readonly #block = Buffer.allocUnsafe(blockBytes);
  #used = 0;

  constructor(sql: string, sink: Writable, done: Done) {
    super(sql, (error: Error | null | undefined, result?: pg.QueryResult) => {
      if (!error) this.#pass();
      done(error, result);
    });
    this.#sink = sink;
  }

  /** Called by the driver for each row. The row is copied, because the driver uses its memory again. */
  handleCopyData({ chunk: row }: { chunk: Buffer }, { stream }: CopyConnection): void {
    if (this.#used + row.length > blockBytes) this.#pass();
    if (row.length > blockBytes) this.#sink.write(Buffer.from(row));
    else this.#used += row.copy(this.#block, this.#used);
    if (this.#sink.destroyed) stream.destroy(new Error('the reader of the rows has ended'));
    if (!this.#sink.writableNeedDrain || stream.isPaused()) return;
    stream.pause();
    const resume = () => {
      this.#sink.off('drain', resume).off('close', resume);
      stream.resume();
    };
    this.#sink.on('drain', resume).on('close', resume);
  }

  #pass(): void {
    if (this.#used > 0) this.#sink.write(Buffer.from(this.#block.subarray(0, this.#used)));
    this.#used = 0;
  }
}

class CopyIn extends pg.Query {
  readonly #source: AsyncIterable<Buffer>;
  readonly #over = new AbortController();
  #cause: Error | null = null;

  constructor(sql: string, source: AsyncIterable<Buffer>, done: Done) {
    super(sql, (error: Error | null | undefined, result?: pg.QueryResult) => {
      this.#over.abort();
      done(this.#cause ?? error, result);
    });
    this.#source = source;
  }

  /** Called by the driver when the server is ready for the rows. */
  async handleCopyInResponse(connection: CopyConnection): Promise<void> {
    const { stream } = connection;
    try {
      for await (const block of this.#source) {
        if (this.#over.signal.aborted) return;
        connection.sendCopyFromChunk(block);
        if (stream.writableNeedDrain) await once(stream, 'drain', { signal: this.#over.signal });
      }
      connection.endCopyFrom();
    } catch (error) {
      // The statement has ended already, with its own reason.
      if (this.#over.signal.aborted) return;
      this.#cause = error as Error;
      connection.sendCopyFail('the rows have not come to their end');
    }
  }
}

/** Writes what a `copy … to stdout` returns, no faster than it is taken, and returns the number of rows. The sink is ended. */
export async function copyOut(client: pg.ClientBase, sql: string, sink: Writable): Promise<number> {
  const ended = finished(sink);
  // It may fail before the rows have ended, and is awaited then.
  ended.catch(() => {});
  try {
    const rows = await run(client, (done) => new CopyOut(sql, sink, done));
    sink.end();
    await ended;
    return rows;
  } catch (error) {
    throw sink.errored ?? error;
  }
}

/** Sends blocks of rows to a `copy … from stdin`, no faster than the server takes them, and returns the number of rows. */
export function copyIn(client: pg.ClientBase, sql: string, source: AsyncIterable<Buffer>): Promise<number> {
  return run(client, (done) => new CopyIn(sql, source, done));
}

function run(client: pg.ClientBase, create: (done: Done) => pg.Query): Promise<number> {
  return new Promise((resolve, reject) => {
    client.query(create((error, result) => (error ? reject(error) : resolve(result?.rowCount ?? 0))));
  });
}
