import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { invalid } from '../../../ground/errors.ts';

/**
 * Node decodes header values as Latin-1, but most clients send text beyond ASCII as UTF-8: if the bytes are valid UTF-8, they
 * are decoded again. A header that came twice is refused, because Node would join the two values.
 */
export function restoreHeaderText(request: FastifyRequest, header: string): void {
  const name = header.toLowerCase();
  const value = request.raw.headers[name];
  if (typeof value !== 'string') return;
  if (value.includes(', ') && (request.raw.headersDistinct[name]?.length ?? 0) > 1)
    throw invalid([{ path: header, problem: 'must be given once' }]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII.
  if (/^[\x00-\x7f]*$/.test(value)) return;
  const bytes = Buffer.from(value, 'latin1');
  if (isUtf8(bytes)) request.raw.headers[name] = bytes.toString('utf8');
}

export function headerText(request: Pick<FastifyRequest, 'raw'>, header: string): string | null {
  const value = request.raw.headers[header.toLowerCase()];
  return typeof value === 'string' ? value : null;
}
