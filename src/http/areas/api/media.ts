import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { Failure } from '../../../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a route can answer with CSV as well. */
    csv?: boolean;
  }
}

const json = ['application/json'];
const jsonOrCsv = ['application/json', 'text/csv'];

/** The interface answers with JSON, and CSV in places: a caller that rules these out is told so before anything happens. */
export function refuseOtherMedia(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: (failure?: Failure) => void,
): void {
  const { accept = '' } = request.headers;
  const asksForMore = accept.trim() !== '' && accept !== '*/*' && request.routeOptions.url?.startsWith('/api/');
  done(asksForMore && mediaType(request) === undefined ? refusal(request) : undefined);
}

export function asksForCsv(request: FastifyRequest): boolean {
  return mediaType(request) === 'text/csv';
}

function mediaType({ headers, routeOptions }: FastifyRequest): string | undefined {
  // Parameters such as charset=utf-8 change nothing about the answer.
  const accept = headers.accept?.replace(/;(?!\s*q\s*=)[^,;]*/gi, '');
  const offered = routeOptions.config.csv ? jsonOrCsv : json;
  return new Negotiator({ headers: accept === undefined ? {} : { accept } }).mediaType(offered);
}

function refusal({ routeOptions }: FastifyRequest): Failure {
  return routeOptions.config.csv
    ? new Failure('unacceptable', 'The answer is JSON or CSV: send "Accept: application/json" or "Accept: text/csv".')
    : new Failure('unacceptable', 'The answer is JSON: send "Accept: application/json".');
}
