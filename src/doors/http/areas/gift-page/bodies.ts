import type { FastifyInstance } from 'fastify';
import { invalid } from '../../../../ground/errors.ts';
import type { Fields } from './visitor.ts';

/** A note of 500 characters, each escaped, and a token. */
export const maxPostBytes = 16 * 1024;

/** Reads the bodies of forms and of the script. Both are texts by name; anything else in them is left out. */
export function readBodies(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxPostBytes },
    async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: maxPostBytes },
    async (_request: unknown, body: string) => textsOf(parseJson(body)),
  );
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw invalid([{ path: 'The body', problem: 'is not JSON' }]);
  }
}

function textsOf(value: unknown): Fields {
  const texts = Object.entries(Object(value)).filter(([, text]) => typeof text === 'string');
  return Object.fromEntries(texts) as Fields;
}

/** Takes any small body and reads nothing of it: mail providers send different ones to stop reminders (RFC 8058). */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxPostBytes }, async () => ({}));
}
