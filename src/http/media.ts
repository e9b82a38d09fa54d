import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { Failure } from '../errors.ts';

/** Every answer of the interface is JSON: a caller that rules it out is told so before anything happens. */
export async function refuseOtherMedia(request: FastifyRequest): Promise<void> {
  if (request.headers.accept === undefined || !request.url.startsWith('/api/')) return;
  if (new Negotiator(request.raw).mediaType(['application/json']) === undefined)
    throw new Failure('unacceptable', 'The answer is JSON: send "Accept: application/json".');
}
