import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { csvText } from '../contract/csv.ts';

type Rows = Record<string, unknown>[];

/**
 * Answers with all rows as they come from the database, at the pace of whoever reads them. The first of them are there
 * before the answer begins: what cannot be read is an error, and no half file.
 */
export async function sendCsv(
  reply: FastifyReply,
  name: string,
  columns: readonly string[],
  chunks: AsyncIterable<Rows>,
): Promise<FastifyReply> {
  const rows = chunks[Symbol.asyncIterator]();
  const isHead = reply.request.method === 'HEAD';
  const first = isHead ? null : await rows.next();
  reply.type('text/csv; charset=utf-8').header('Content-Disposition', `attachment; filename="${name}.csv"`);
  if (first === null) return reply.send('');
  async function* lines(chunk: IteratorResult<Rows>) {
    yield csvText([columns]);
    for (; !chunk.done; chunk = await rows.next())
      yield csvText(chunk.value.map((row) => columns.map((column) => String(row[column] ?? ''))));
  }
  // Also where the caller has gone away before a line was asked for.
  const body = Readable.from(lines(first)).once('close', () => rows.return?.());
  return reply.send(body);
}
