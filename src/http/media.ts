import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { Failure } from '../errors.ts';

/** Every answer of the interface is JSON: a caller that rules it out is told so before anything happens. */
export function refuseOtherMedia(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: (failure?: Failure) => void,
): void {
  const { accept = '' } = request.headers;
  const asksForMore = accept.trim() !== '' && accept !== '*/*' && request.routeOptions.url?.startsWith('/api/');
  done(asksForMore && !takesJson(accept) ? refusal() : undefined);
}

function takesJson(accept: string): boolean {
  // Parameters such as charset=utf-8 change nothing about a JSON answer.
  const plain = accept.replace(/;(?!\s*q\s*=)[^,;]*/gi, '');
  return new Negotiator({ headers: { accept: plain } }).mediaType(['application/json']) !== undefined;
}

function refusal(): Failure {
  return new Failure('unacceptable', 'The answer is JSON: send "Accept: application/json".');
}
