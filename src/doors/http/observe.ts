import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { createAnswerLog } from '../../ground/log.ts';
import type { Metrics } from '../../ground/metrics.ts';
import { endRequestSpan } from '../../ground/traces/spans.ts';
import { uuid } from '../../ground/values/uuid.ts';
import { type Answer, commonHeaders, elapsedMs, type Route } from './answer.ts';
import { AnswersUnderWay, type UnderWay } from './limits/under-way.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a program calls this route every few seconds, so that its requests are logged at level debug. */
    isRoutine?: boolean;
  }
  interface FastifyRequest {
    /** Fastify builds `routeOptions` at each access, so it is read once. */
    route: Route;
  }
}

/** They keep a browser that opens one of our addresses from running or caching an answer. An area or a route can replace them. */
const common = commonHeaders({
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
});

/** The status that is logged for a caller who closed the connection before the answer. It is never sent. */
const wentAway = 499;

export interface Observation {
  underWay: UnderWay;
  /** Called for each request before anything else. */
  begin(answer: Answer, id: string, route: Route): void;
}

/**
 * One log line and one measurement for each request, also if its caller went away. No header, body or query is
 * logged, because tokens travel there.
 */
export function observeRequests(metrics: Metrics, log: Logger): Observation {
  const underWay = new AnswersUnderWay();
  metrics.watchUnderWay(() => underWay.size);
  const writeLine = createAnswerLog(log);
  const conclude = (answer: Answer) => {
    underWay.remove(answer);
    const { id, req, statusCode } = answer;
    const { url: route = 'none', isRoutine } = answer.route;
    const { method = '', url = '' } = req;
    const status = answer.writableFinished ? statusCode : wentAway;
    const ms = elapsedMs(answer);
    metrics.requests.note(method, route, status, ms / 1000);
    const message = status === wentAway ? 'The caller went away.' : 'answered';
    const path = loggedPath(url, route);
    const traceId = answer.span?.traceId;
    writeLine({ level: isRoutine ? 'debug' : 'info', reqId: id, traceId, method, path, status, ms, message });
    if (answer.span) endRequestSpan(answer.span, status);
  };
  const begin = (answer: Answer, id: string, route: Route) => {
    answer.id = id;
    answer.route = route;
    underWay.add(answer);
    answer.onOver = conclude;
    answer.common = common;
  };
  return { underWay, begin };
}

// Lower case, as our own paths are. With upper case, a short gift token could look like a word.
const harmless = new RegExp(`^(v\\d+|[a-z][a-z._-]{0,30})?$|${uuid.source}`);

// Ids are numbers. A short gift token has 16 characters, so that even one of digits alone is longer than this.
const plainId = /^[1-9]\d{0,14}$/;

/** The path without steps that could be a secret: a caller may have put a token where an id belongs. */
function loggedPath(url: string, route: string): string {
  if (isUsual(url, route)) return url;
  if (route !== 'none' && !route.includes(':') && !route.includes('*')) return route;
  const [path = ''] = url.split('?');
  const own = route.split('/');
  const isId = (step: string) => route !== 'none' && plainId.test(step);
  const isShown = (step: string) => own.includes(step) || harmless.test(step) || isId(step);
  const steps = path.split('/').map((step) => (isShown(step) ? step : '[redacted]'));
  return steps.join('/');
}

const usualAddresses = new Map<string, RegExp>();

/** Whether the address is that of the route with an id in the place of each parameter. One look at it is enough for most requests. */
function isUsual(url: string, route: string): boolean {
  const known = usualAddresses.get(route) ?? usualAddress(route);
  usualAddresses.set(route, known);
  return known.test(url);
}

function usualAddress(route: string): RegExp {
  const id = [uuid, plainId].map(({ source }) => source.slice(1, -1)).join('|');
  const steps = route.split('/').map((step) => (step.startsWith(':') ? `(?:${id})` : RegExp.escape(step)));
  return new RegExp(`^${steps.join('/')}$`);
}

const processMark = randomBytes(6).toString('base64url');
let requests = 0;

/** Unique across processes and restarts, and cheap. */
export function makeLogId(): string {
  return `${processMark}-${(++requests).toString(36)}`;
}
