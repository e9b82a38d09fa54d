import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import packageJson from '../../../package.json' with { type: 'json' };
import { type Snapshot, withSnapshot } from '../database/contents.ts';
import type { Database } from '../database/database.ts';
import { Failure } from '../errors.ts';
import { checkBackup, type Summary } from './check.ts';
import { encryptPieces } from './encryption.ts';
import { encodeFrame, type Frame, headerFor } from './format.ts';
import { keyOfFile } from './key.ts';

/** Most of what stronger levels save, in a third of their time. */
const gzipLevel = 3;

export interface WrittenBackup extends Summary {
  file: string;
  bytes: number;
}

/**
 * Writes a backup of one moment of the database while it is in use. A file with the name of a backup is complete, stored on the disk, and was
 * read again: until then it ends with `.partial`.
 */
export async function writeBackup(
  database: Pick<Database, 'url'>,
  to: string,
  key: Buffer | null,
  { now = new Date(), stopping }: { now?: Date; stopping?: AbortSignal } = {},
): Promise<WrittenBackup> {
  const file = await nameFile(to, now);
  const draft = `${file}.partial`;
  try {
    await withSnapshot(database, (snapshot) => writeDraft(draft, snapshot, key, now, stopping));
    const summary = await checkBackup(draft, key, stopping);
    const { size } = await stat(draft);
    await rename(draft, file);
    await syncFolder(dirname(file));
    return { file, bytes: size, ...summary };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** In a folder, the name has the time, so that names sort by age. */
async function nameFile(to: string, now: Date): Promise<string> {
  const isFolder = to.endsWith(sep) || (await stat(to).catch(() => null))?.isDirectory();
  const time = now.toISOString().replace(/:|\.\d+/g, '');
  const file = resolve(isFolder ? join(to, `giftwire-${time}.backup`) : to);
  if (!(await stat(dirname(file)).catch(() => null))?.isDirectory())
    throw new Failure('setup', `There is no folder ${dirname(file)}: create it, or name another one.`);
  if (await stat(file).catch(() => null)) throw new Failure('setup', `${file} exists already: name another file.`);
  return file;
}

async function writeDraft(
  draft: string,
  snapshot: Snapshot,
  key: Buffer | null,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { migrations, environment } = snapshot;
  const { header, text } = headerFor(key, {
    createdAt: now.toISOString(),
    version: packageJson.version,
    schema: migrations.at(-1) ?? '',
    environment,
  });
  const out = createWriteStream(draft, { mode: 0o600, flush: true });
  const frames = new PassThrough();
  const sealed = async function* (source: AsyncIterable<Buffer>) {
    yield text;
    yield* encryptPieces(source, keyOfFile(key, header.salt, text));
  };
  const written = pipeline(frames, createGzip({ level: gzipLevel }), sealed, out, { signal }).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
  const failure = await writeFrames(snapshot, frames).catch((error) => {
    frames.destroy(error);
    return error as Error;
  });
  const problem = await written;
  if (problem?.syscall)
    throw new Failure(
      'setup',
      `${draft} cannot be written (${problem.code}): name another folder, or make room there.`,
      {
        cause: problem,
      },
    );
  if (failure ?? problem) throw failure ?? problem;
}

async function writeFrames(snapshot: Snapshot, frames: Writable): Promise<void> {
  const write = (frame: Frame, done: (error?: Error | null) => void) => frames.write(encodeFrame(frame), done);
  const put = (frame: Frame) =>
    new Promise<void>((resolve, reject) => write(frame, (error) => (error ? reject(error) : resolve())));
  await put({ kind: 'contents', body: { migrations: snapshot.migrations } });
  const rows: Record<string, number> = {};
  for (const table of snapshot.tables) {
    await put({ kind: 'table', body: table });
    const sink = new Writable({ write: (body: Buffer, _, done) => void write({ kind: 'rows', body }, done) });
    rows[table.name] = await snapshot.read(table, sink);
  }
  await put({ kind: 'end', body: { rows, sequences: await snapshot.readSequences() } });
  frames.end();
}

/** So that the new name outlasts a loss of power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
