import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Failure } from '../errors.ts';

/**
 * Bytes in encrypted pieces. The nonce of a piece has its number and whether it is the last one, so a piece that is changed, moved, repeated
 * or missing is noticed before any of its bytes is passed on. A key must never encrypt two files.
 */
const pieceBytes = 64 * 1024;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

export function encryptPieces(source: AsyncIterable<Uint8Array>, key: Uint8Array): AsyncGenerator<Buffer> {
  return changePieces(source, pieceBytes, (piece, nonce) => {
    const cipher = createCipheriv(algorithm, key, nonce);
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  });
}

export function decryptPieces(source: AsyncIterable<Uint8Array>, key: Uint8Array): AsyncGenerator<Buffer> {
  return changePieces(source, pieceBytes + tagBytes, (piece, nonce) => {
    if (piece.length < tagBytes) throw damaged();
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
    decipher.setAuthTag(piece.subarray(-tagBytes));
    const start = decipher.update(piece.subarray(0, -tagBytes));
    try {
      return Buffer.concat([start, decipher.final()]);
    } catch {
      throw damaged();
    }
  });
}

export function damaged(): Failure {
  return new Failure('setup', 'The backup is damaged or not complete: use another one.');
}

async function* changePieces(
  source: AsyncIterable<Uint8Array>,
  size: number,
  change: (piece: Buffer, nonce: Buffer) => Buffer,
): AsyncGenerator<Buffer> {
  let number = 0;
  const nonce = (isLast: boolean) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUIntBE(number++, 5, 6);
    bytes[11] = isLast ? 1 : 0;
    return bytes;
  };
  let held: Buffer | null = null;
  for await (const piece of inPieces(source, size)) {
    if (held) yield change(held, nonce(false));
    held = piece;
  }
  yield change(held ?? Buffer.alloc(0), nonce(true));
}

/** All of the same size, except for the last one. */
async function* inPieces(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of source) {
    waiting.push(bytes);
    length += bytes.length;
    if (length < size) continue;
    const all = Buffer.concat(waiting);
    let start = 0;
    for (; length - start >= size; start += size) yield all.subarray(start, start + size);
    waiting = [all.subarray(start)];
    length -= start;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
