import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Sequence, Table } from '../database/all-tables.ts';
import { Failure } from '../errors.ts';
import { damaged, decryptPieces } from './encryption.ts';
import { keyOfFile, markOf } from './key.ts';

/**
 * A backup is two lines of text, then sealed pieces. The first line names the format, the second one is the header. The pieces hold
 * compressed records: the contents, then each table followed by its rows, then the end.
 */
const formatLine = 'giftwire backup 1';
const longestHeader = 4_096;

/** What anyone can read of a backup. */
export interface Header {
  createdAt: string;
  /** Of the program that has written it. */
  version: string;
  /** The last migration. */
  schema: string;
  environment: string | null;
  /** Of the key that it is encrypted with; null: it is not encrypted. */
  key: string | null;
  salt: string;
}

export function headerFor(
  key: Buffer | null,
  { createdAt, version, schema, environment }: Omit<Header, 'key' | 'salt'>,
): { header: Header; text: Buffer } {
  const salt = randomBytes(32).toString('base64url');
  const header = { createdAt, version, schema, environment, key: key && markOf(key), salt };
  return { header, text: Buffer.from(`${formatLine}\n${JSON.stringify(header)}\n`) };
}

export type Frame =
  | { kind: 'contents'; body: { migrations: string[] } }
  | { kind: 'table'; body: Table }
  | { kind: 'rows'; body: Buffer }
  | { kind: 'end'; body: { rows: Record<string, number>; sequences: Sequence[] } };

const kinds = ['contents', 'table', 'rows', 'end'] as const;
const frameHead = 5;

export function encodeFrame({ kind, body }: Frame): Buffer {
  const bytes = body instanceof Buffer ? body : Buffer.from(JSON.stringify(body));
  const head = Buffer.alloc(frameHead);
  head[0] = kinds.indexOf(kind);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

export async function* decodeFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let waiting: Buffer[] = [];
  let length = 0;
  let needed = frameHead;
  for await (const bytes of source) {
    waiting.push(bytes);
    length += bytes.length;
    if (length < needed) continue;
    let all = Buffer.concat(waiting);
    for (;;) {
      needed = all.length < frameHead ? frameHead : frameHead + all.readUInt32BE(1);
      if (all.length < needed) break;
      yield decodeFrame(all[0] as number, all.subarray(frameHead, needed));
      all = all.subarray(needed);
    }
    waiting = [all];
    length = all.length;
  }
  if (length > 0) throw damaged();
}

function decodeFrame(nth: number, bytes: Buffer): Frame {
  const kind = kinds[nth];
  if (kind === undefined) throw damaged();
  return { kind, body: kind === 'rows' ? bytes : JSON.parse(bytes.toString()) } as Frame;
}

export interface OpenBackup {
  header: Header;
  /** The records, each checked before it is returned. Throws where the file is damaged, and at its end if something is missing. */
  frames: AsyncIterable<Frame>;
}

/** Opens a backup. Its key is needed only for the records. With a key, a file without one is rejected: anyone could have written it. */
export async function openBackup(file: string, key: Buffer | null): Promise<OpenBackup> {
  const { header, text } = await readHeader(file);
  if (header.key === null && key !== null)
    throw new Failure(
      'setup',
      `${file} is not encrypted, although a key is given: anyone could have written it. If you trust the file, add --unencrypted.`,
    );
  if (header.key !== null && key !== null && header.key !== markOf(key))
    throw new Failure('setup', `${file} is encrypted with another key (${header.key}; this one is ${markOf(key)}).`);
  return { header, frames: framesOf(file, header, text, key) };
}

async function* framesOf(file: string, header: Header, text: Buffer, key: Buffer | null): AsyncGenerator<Frame> {
  if (header.key !== null && key === null)
    throw new Failure('setup', `${file} is encrypted (key ${header.key}): name its key file with --key-file.`);
  const sealed = createReadStream(file, { start: text.length });
  const unsealed = decryptPieces(sealed, keyOfFile(key, header.salt, text));
  const bytes = new PassThrough();
  const read = pipeline(unsealed, createGunzip(), bytes).catch((error) => bytes.destroy(error));
  try {
    yield* decodeFrames(bytes);
  } finally {
    bytes.destroy();
    await read;
  }
}

async function readHeader(file: string): Promise<{ header: Header; text: Buffer }> {
  const handle = await open(file).catch((cause: NodeJS.ErrnoException) => {
    throw new Failure('setup', `${file} cannot be read (${cause.code}).`, { cause });
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(longestHeader), 0, longestHeader, 0);
    const [first, second] = buffer.subarray(0, bytesRead).toString('latin1').split('\n', 3);
    const isOther = first?.startsWith('giftwire backup ') && first !== formatLine;
    if (isOther)
      throw new Failure('setup', `${file} is a backup of a newer version of Giftwire: install that version.`);
    if (first !== formatLine) throw new Failure('setup', `${file} is not a backup of Giftwire.`);
    const text = buffer.subarray(0, formatLine.length + (second as string).length + 2);
    return { header: parseHeader(text.subarray(formatLine.length)), text };
  } finally {
    await handle.close();
  }
}

function parseHeader(bytes: Buffer): Header {
  try {
    return JSON.parse(bytes.toString()) as Header;
  } catch {
    throw damaged();
  }
}
