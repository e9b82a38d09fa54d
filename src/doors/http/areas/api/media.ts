import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { Failure } from '../../../../ground/errors.ts';
import type { OnRequest } from '../../area.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a route can also answer with CSV. */
    csv?: boolean;
    /** Whether a route answers with a page. */
    html?: boolean;
    /** Whether a route answers with a ZIP. */
    zip?: boolean;
  }
}

const json = ['application/json'];
const jsonOrCsv = ['application/json', 'text/csv'];
const html = ['text/html'];
const zip = ['application/zip'];

/** The API answers with JSON, some routes with CSV or a page: a caller that accepts none of it gets a 406 before anything happens. */
export const refuseOtherMedia: OnRequest = (request, _reply, done) => {
  const { accept = '' } = request.headers;
  const asksForMore = accept.trim() !== '' && accept !== '*/*';
  done(asksForMore && mediaType(request) === undefined ? refusal(request) : undefined);
};

/** Before a route takes a file: a body of JSON, or none, would come through as well. */
export function needsFile(what: string) {
  return async ({ body }: { body: unknown }): Promise<void> => {
    if (!Buffer.isBuffer(body)) throw new Failure('mediaType', `The body must be ${what}.`);
  };
}

export const csvFile = 'a file: send "Content-Type: text/csv"';

export function asksForCsv(request: FastifyRequest): boolean {
  return mediaType(request) === 'text/csv';
}

function mediaType({ headers, route }: FastifyRequest): string | undefined {
  // Parameters such as charset=utf-8 do not change the answer.
  const accept = headers.accept?.replace(/;(?!\s*q\s*=)[^,;]*/gi, '');
  const { csv, html: isPage, zip: isZip } = route;
  const offered = isZip ? zip : isPage ? html : csv ? jsonOrCsv : json;
  return new Negotiator({ headers: accept === undefined ? {} : { accept } }).mediaType(offered);
}

function refusal({ route }: FastifyRequest): Failure {
  if (route.zip) return new Failure('unacceptable', 'The answer is a ZIP: send "Accept: application/zip".');
  if (route.html) return new Failure('unacceptable', 'The answer is a page: send "Accept: text/html".');
  return route.csv
    ? new Failure('unacceptable', 'The answer is JSON or CSV: send "Accept: application/json" or "Accept: text/csv".')
    : new Failure('unacceptable', 'The answer is JSON: send "Accept: application/json".');
}
