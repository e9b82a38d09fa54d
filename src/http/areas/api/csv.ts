import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FilePart } from '../../../reports/pieces.ts';
import { byteOrderMark, csvText } from '../../../values/csv.ts';

interface CsvFile {
  name: string;
  columns: readonly string[];
  rows: AsyncGenerator<FilePart>;
  hasByteOrderMark: boolean;
}

/**
 * Sends all rows piece by piece, as fast as the client reads. The first piece is read before the answer begins, so that a
 * report that cannot be read is an error instead of half a file. `begin` counts the file until it ends, or refuses it.
 */
export async function sendCsv(reply: FastifyReply, file: CsvFile, begin: () => () => void): Promise<FastifyReply> {
  const { name, columns, rows } = file;
  const isHead = reply.request.method === 'HEAD';
  const end = isHead ? null : begin();
  const first = end && (await readFirst(rows, end));
  reply.type('text/csv; charset=utf-8').header('Content-Disposition', `attachment; filename="${name}.csv"`);
  if (first === null) return reply.send('');
  async function* lines(piece: IteratorResult<FilePart>) {
    yield Buffer.from((file.hasByteOrderMark ? byteOrderMark : '') + csvText([columns]));
    for (; !piece.done; piece = await rows.next()) if (piece.value.length > 0) yield bytesOf(piece.value, columns);
  }
  // Bytes, so that a slow client lets little wait. The stream also closes if the client goes away before the first line. A piece
  // that is being read is read to its end.
  const body = Readable.from(lines(first), { objectMode: false }).once('close', () => rows.return(null).then(end, end));
  return reply.send(body);
}

async function readFirst(rows: AsyncGenerator<FilePart>, end: () => void): Promise<IteratorResult<FilePart>> {
  try {
    return await rows.next();
  } catch (error) {
    end();
    throw error;
  }
}

function bytesOf(part: FilePart, columns: readonly string[]): Buffer {
  if (Buffer.isBuffer(part)) return part;
  return Buffer.from(csvText(part.map((row) => columns.map((column) => String(row[column] ?? '')))));
}
