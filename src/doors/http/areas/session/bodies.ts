import type { FastifyInstance } from 'fastify';
import { invalid } from '../../../../ground/errors.ts';

/** A link, or an address and a password. */
const maxSignInBytes = 4 * 1024;

export function readJson(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: maxSignInBytes },
    async (_request: unknown, body: string) => parse(body),
  );
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw invalid([{ path: 'The body', problem: 'is not JSON' }]);
  }
}
