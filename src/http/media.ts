import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { Failure } from '../errors.ts';

/** Every answer of the interface is JSON: a caller that rules it out is told so before anything happens. */
export async function refuseOtherMedia(request: FastifyRequest): Promise<void> {
  const { accept } = request.headers;
  if (!accept?.trim() || !request.routeOptions.url?.startsWith('/api/')) return;
  // Parameters such as charset=utf-8 change nothing about a JSON answer.
  const plain = accept.replace(/;(?!\s*q\s*=)[^,;]*/gi, '');
  if (new Negotiator({ headers: { accept: plain } }).mediaType(['application/json']) === undefined)
    throw new Failure('unacceptable', 'The answer is JSON: send "Accept: application/json".');
}
