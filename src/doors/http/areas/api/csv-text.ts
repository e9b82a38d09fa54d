import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { beginFile } from './csv.ts';
import type { Exports } from './exports.ts';

/**
 * Sends a CSV file whose text is known, piece by piece. The first piece is read and the audit log is written before the
 * answer begins, as for other files.
 */
export async function sendCsvText(
  reply: FastifyReply,
  name: string,
  texts: AsyncGenerator<string>,
  exports: Exports,
): Promise<FastifyReply> {
  const begun = reply.request.method === 'HEAD' ? null : await beginFile(reply.request, name, texts, exports);
  // A file that does not exist is a 404 for HEAD too.
  if (begun === null) await texts.next();
  reply.type('text/csv; charset=utf-8').header('Content-Disposition', `attachment; filename="${name}.csv"`);
  if (begun === null) return reply.send('');
  const { first, end } = begun;
  async function* pieces(piece: IteratorResult<string>) {
    for (; !piece.done; piece = await texts.next()) yield piece.value;
  }
  const body = Readable.from(pieces(first)).once('close', () => texts.return(null).then(end, end));
  return reply.send(body);
}
