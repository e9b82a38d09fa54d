import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { byteOrderMark, csvText } from '../../../../ground/values/csv.ts';
import type { FilePart } from '../../../../insight/reports/pieces.ts';
import type { Exports } from './exports.ts';

export interface CsvFile {
  name: string;
  columns: readonly string[];
  rows: AsyncGenerator<FilePart>;
  hasByteOrderMark: boolean;
}

/**
 * Sends all rows piece by piece, as fast as the client reads. The first piece is read before the answer begins, so that a
 * report that cannot be read is an error instead of half a file. The audit log says who got the file before it is sent.
 */
export async function sendCsv(reply: FastifyReply, file: CsvFile, exports: Exports): Promise<FastifyReply> {
  const { name, columns, rows } = file;
  const begun = reply.request.method === 'HEAD' ? null : await beginFile(reply.request, name, rows, exports);
  reply.type('text/csv; charset=utf-8').header('Content-Disposition', `attachment; filename="${name}.csv"`);
  if (begun === null) return reply.send('');
  const { first, end } = begun;
  async function* lines(piece: IteratorResult<FilePart>) {
    yield Buffer.from((file.hasByteOrderMark ? byteOrderMark : '') + csvText([columns]));
    for (; !piece.done; piece = await rows.next()) if (piece.value.length > 0) yield bytesOf(piece.value, columns);
  }
  // Bytes, so that a slow client lets little wait. The stream also closes if the client goes away before the first line. A piece
  // that is being read is read to its end.
  const body = Readable.from(lines(first), { objectMode: false }).once('close', () => rows.return(null).then(end, end));
  return reply.send(body);
}

/** Counts a file, reads its first piece and notes who gets it. If one of these fails, the file ends. `end` is called when it was sent. */
export async function beginFile<Piece>(
  request: FastifyRequest,
  name: string,
  pieces: AsyncGenerator<Piece>,
  exports: Exports,
): Promise<{ first: IteratorResult<Piece>; end: () => void }> {
  const end = exports.begin(request);
  try {
    const first = await pieces.next();
    await exports.note(request, name);
    return { first, end };
  } catch (error) {
    await pieces.return(null).finally(end);
    throw error;
  }
}

function bytesOf(part: FilePart, columns: readonly string[]): Buffer {
  if (Buffer.isBuffer(part)) return part;
  return Buffer.from(csvText(part.map((row) => columns.map((column) => String(row[column] ?? '')))));
}
