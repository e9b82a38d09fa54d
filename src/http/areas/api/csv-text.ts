import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Sends a CSV file whose text is known, piece by piece. The first piece is read before the answer begins, as for other files. `begin`
 * counts the file until it ends, or refuses it.
 */
export async function sendCsvText(
  reply: FastifyReply,
  name: string,
  texts: AsyncGenerator<string>,
  begin: () => () => void,
): Promise<FastifyReply> {
  const end = reply.request.method === 'HEAD' ? null : begin();
  const first = await texts.next().catch((error) => {
    end?.();
    throw error;
  });
  reply.type('text/csv; charset=utf-8').header('Content-Disposition', `attachment; filename="${name}.csv"`);
  if (end === null) return reply.send('');
  async function* pieces(piece: IteratorResult<string>) {
    for (; !piece.done; piece = await texts.next()) yield piece.value;
  }
  const body = Readable.from(pieces(first)).once('close', () => texts.return(null).then(end, end));
  return reply.send(body);
}
