import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type Answer, headerBlock } from './answer.ts';
import type { Caller } from './authenticate.ts';
import { isCrowded } from './connections.ts';
import { type DirectRoute, directRoute } from './direct-route.ts';
import { readSmallBody } from './json-body.ts';
import { makeLogId, type Observation, protective } from './observe.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

export interface DirectWay {
  /** Takes the routes that are added from now on. */
  follow(app: FastifyInstance): void;
  /** Answers what it can, and leaves the rest to `whole`. */
  before(whole: Handle): Handle;
}

/**
 * The direct way: plain requests of the busiest routes are answered without Fastify, whose life cycle costs more than what such a
 * request is about. The route alone says who may use it, what it takes and what it answers. A request is plain if nothing about it
 * needs a decision: a known caller with the right to the route, a usual Accept, a small JSON body. All other requests go the whole way
 * through Fastify. So do those that fail, because errors are answered in one place.
 */
export function createDirectWay({ underWay, begin }: Observation): DirectWay {
  const routes: DirectRoute[] = [];
  let isStopping = false;
  return {
    follow(app) {
      app.addHook('onRoute', function (route) {
        if (route.config?.direct && route.method !== 'HEAD') routes.push(directRoute(route, this));
      });
      // Answers close their connections from now on. Fastify sees to that.
      app.addHook('preClose', async () => {
        isStopping = true;
      });
    },
    before: (whole) => (request, response) => {
      const answer = response as Answer;
      const plain = isStopping || isCrowded(underWay) ? null : plainRequest(routes, request);
      if (plain === null) {
        whole(request, answer);
        return;
      }
      begin(answer, makeLogId(), plain.route.config);
      answerPlain(plain, request, answer).catch((failure) => {
        answer.failure = failure;
        whole(request, answer);
      });
    },
  };
}

interface Plain {
  route: DirectRoute;
  caller: Caller;
  params: unknown;
}

function plainRequest(routes: readonly DirectRoute[], { method, url = '', headers }: IncomingMessage): Plain | null {
  const route = routeAt(routes, method, url);
  if (route === null || !hasPlainHeaders(headers, route)) return null;
  const params = route.parameter === null ? {} : { [route.parameter]: url.slice(route.address.length) };
  const checked = route.checkParams(params);
  if (isAtFault(checked) || isAtFault(route.checkHeaders(headers))) return null;
  const caller = route.recallCaller(headers, route.config);
  return caller === null ? null : { route, caller, params: inputOf(checked, params) };
}

/** A parameter that means the same before and after decoding. */
const plainParameter = /^[\w-]+$/;

function routeAt(routes: readonly DirectRoute[], method: string | undefined, url: string): DirectRoute | null {
  for (const route of routes) {
    const { address, parameter } = route;
    if (route.method !== method || !url.startsWith(address)) continue;
    if (parameter === null ? url.length === address.length : plainParameter.test(url.slice(address.length)))
      return route;
  }
  return null;
}

const usualAccepts = new Set(['*/*', 'application/json', 'application/json, text/plain, */*']);
const usualTypes = new Set(['application/json', 'application/json; charset=utf-8', 'application/json;charset=utf-8']);
const smallBytes = 64 * 1024;

function hasPlainHeaders(headers: IncomingMessage['headers'], { checkBody, headers: names }: DirectRoute): boolean {
  if (headers.host === undefined || !usualAccepts.has(headers.accept ?? '*/*')) return false;
  for (const name of names) if (!isPlainText(headers[name])) return false;
  return (
    checkBody === null ||
    (usualTypes.has(headers['content-type'] ?? '') &&
      headers['content-encoding'] === undefined &&
      Number(headers['content-length']) <= smallBytes)
  );
}

/** ASCII, which is the same in all encodings. Without a comma, which Node puts between the values of a repeated header. */
function isPlainText(value: string | string[] | undefined): boolean {
  return value === undefined || (typeof value === 'string' && /^[\x20-\x2b\x2d-\x7e]*$/.test(value));
}

type Checked = ReturnType<DirectRoute['checkParams']>;

function isAtFault(checked: Checked): checked is { error: Error } {
  return checked !== true && 'error' in checked;
}

function inputOf(checked: Exclude<Checked, { error: Error }>, input: unknown): unknown {
  return checked === true ? input : checked.value;
}

const common = headerBlock({ ...protective, 'Content-Type': 'application/json; charset=utf-8' });

async function answerPlain({ route, caller, params }: Plain, raw: IncomingMessage, answer: Answer): Promise<void> {
  const body = route.checkBody === null ? undefined : readBody(route, await bytesOf(raw));
  const { status, value, headers } = await route.direct.answer({ caller, raw, params, body } as never);
  const text = route.write(status, value);
  // In lower case, as Fastify writes them.
  for (const name in headers) answer.setHeader(name.toLowerCase(), headers[name] as string);
  answer.statusCode = status;
  answer.common = common;
  answer.end(text);
}

function bytesOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  });
}

function readBody({ direct, config, checkBody }: DirectRoute, bytes: Buffer): unknown {
  const read = readSmallBody(bytes, config.maxValues);
  const body = direct.tidy ? direct.tidy(read) : read;
  const checked = checkBody?.(body) ?? true;
  if (isAtFault(checked)) throw checked.error;
  return inputOf(checked, body);
}
