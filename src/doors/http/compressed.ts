import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Bytes that do not change, and their compressed forms. */
export interface Compressed extends Record<Encoding, () => Buffer> {
  plain: Buffer;
}

/** Compressed when it is first asked for: at most a few hundred kilobytes, once for each file. */
export function compressed(plain: Buffer): Compressed {
  return {
    plain,
    br: once(() => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })),
    gzip: once(() => gzipSync(plain)),
  };
}

/** The form that a client asks for; null: as it is. */
export function encodingFor({ headers }: Pick<FastifyRequest, 'headers'>): Encoding | null {
  if (headers['accept-encoding'] === undefined) return null;
  const accepted = new Negotiator({ headers }).encodings([...encodings, 'identity']);
  return encodings.find((one) => accepted.includes(one)) ?? null;
}

export function sendAs(reply: FastifyReply, file: Compressed, encoding: Encoding | null): FastifyReply {
  if (encoding !== null) reply.header('Content-Encoding', encoding);
  return reply.header('Vary', 'Accept-Encoding').send(encoding === null ? file.plain : file[encoding]());
}

function once(make: () => Buffer): () => Buffer {
  let made: Buffer | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
