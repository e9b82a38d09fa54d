import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { createAnswerLog } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { uuid } from '../values/uuid.ts';
import type { Answer } from './answer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a program calls this route every few seconds, so that its requests are logged at level debug. */
    isRoutine?: boolean;
  }
}

/** They keep a browser that opens one of our addresses from running or caching an answer. An area can replace them. */
const protective = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** The status that is logged for a caller who closed the connection before the answer. It is never sent. */
const wentAway = 499;

/**
 * One log line and one measurement for each request, also if its caller went away. No header, body or query is
 * logged, because tokens travel there. Returns the answers that are under way.
 */
export function observeRequests(app: FastifyInstance, metrics: Metrics, log: Logger): ReadonlySet<FastifyReply> {
  const underWay = new Set<FastifyReply>();
  metrics.watchUnderWay(() => underWay.size);
  const writeLine = createAnswerLog(log);
  const conclude = (answer: Answer) => {
    const reply = answer.reply as FastifyReply;
    underWay.delete(reply);
    const { id, method, url, routeOptions } = reply.request;
    const { url: route = 'none', config } = routeOptions;
    const status = answer.writableFinished ? reply.statusCode : wentAway;
    const ms = performance.now() - answer.begunAt;
    metrics.requests.note(method, route, status, ms / 1000);
    const message = status === wentAway ? 'The caller went away.' : 'answered';
    const path = loggedPath(url, route);
    writeLine({ level: config.isRoutine ? 'debug' : 'info', reqId: id, method, path, status, ms, message });
  };
  app.addHook('onRequest', (request, reply, done) => {
    underWay.add(reply);
    const answer = reply.raw as Answer;
    answer.reply = reply;
    answer.onOver = conclude;
    reply.header('X-Request-Id', request.id).headers(protective);
    done();
  });
  return underWay;
}

// Lower case, as our own paths are. With upper case, a short gift token could look like a word.
const harmless = new RegExp(`^(v\\d+|[a-z][a-z._-]{0,30})?$|${uuid.source}`);

// Ids are numbers. A short gift token has 16 characters, so that even one of digits alone is longer than this.
const plainId = /^[1-9]\d{0,14}$/;

/** The path without steps that could be a secret: a caller may have put a token where an id belongs. */
function loggedPath(url: string, route: string): string {
  if (route !== 'none' && !/[:*]/.test(route)) return route;
  const [path = ''] = url.split('?');
  const own = route.split('/');
  const isId = (step: string) => route !== 'none' && plainId.test(step);
  const isShown = (step: string) => own.includes(step) || harmless.test(step) || isId(step);
  const steps = path.split('/').map((step) => (isShown(step) ? step : '[redacted]'));
  return steps.join('/');
}

const processMark = randomBytes(6).toString('base64url');
let requests = 0;

/** Unique across processes and restarts, and cheap. */
export function makeLogId(): string {
  return `${processMark}-${(++requests).toString(36)}`;
}
