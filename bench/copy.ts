import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import pg from 'pg';

/** The part of the driver's connection that sends the data of a COPY. The driver's types leave it out. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Does what psql's `\copy … from` does: sends a file to PostgreSQL's COPY. */
class CopyFrom extends pg.Query {
  path = '';

  handleCopyInResponse(connection: CopyConnection): void {
    const file = createReadStream(this.path, { highWaterMark: 256 * 1024 });
    file.on('data', (chunk) => connection.sendCopyFromChunk(chunk as Buffer));
    file.on('end', () => connection.endCopyFrom());
  }
}

/** Does what psql's `\copy … to` does: writes to a file what PostgreSQL's COPY sends. */
class CopyTo extends pg.Query {
  file: WriteStream | undefined;

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The driver writes the next message over it.
    this.file?.write(Buffer.from(chunk));
  }
}

export function copyFrom(client: pg.ClientBase, table: string, columns: string, path: string): Promise<void> {
  return run((done) => {
    const query = new CopyFrom(`copy ${table} (${columns}) from stdin csv`, done);
    query.path = path;
    client.query(query);
  });
}

export async function copyTo(client: pg.ClientBase, select: string, path: string): Promise<void> {
  const file = createWriteStream(path);
  await run((done) => {
    const query = new CopyTo(`copy (${select}) to stdout csv`, done);
    query.file = file;
    client.query(query);
  });
  file.end();
  await finished(file);
}

function run(begin: (done: (error: Error | undefined) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve())));
}
