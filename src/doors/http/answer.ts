import { type IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyContextConfig, FastifyReply } from 'fastify';
import type { TraceSpan } from '../../ground/traces/spans.ts';

/** Headers that a response has unless it has one of the same name. */
export type CommonHeaders = readonly (readonly [lowerCase: string, name: string, value: string])[];

export function commonHeaders(headers: Readonly<Record<string, string>>): CommonHeaders {
  return Object.entries(headers).map(([name, value]) => [name.toLowerCase(), name, value]);
}

/** What a route declares, and its address; without an address for a request that no route serves. */
export type Route = FastifyContextConfig & { url?: string };

/** The place of an answer that is not under way. */
export const nowhere = -1;

/**
 * The answer to a request. It calls `onOver` when it is sent or its connection is closed, because a listener on each answer would
 * cost more than what is done then. It adds the headers that most responses have in common where the headers are written, which
 * every response passes.
 */
export class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  readonly begunAt = performance.now();
  /** The name of the request in the log; empty before its route is known. */
  id = '';
  /** Where it is among those under way. */
  place = nowhere;
  route: Route = {};
  /** Null before its route is known. */
  reply: FastifyReply | null = null;
  onOver: ((answer: Answer) => void) | null = null;
  common: CommonHeaders = [];
  /** Its part of a trace; null without traces. */
  span: TraceSpan | null = null;

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'close' && this.onOver !== null) {
      this.onOver(this);
      this.onOver = null;
    }
    return values.length === 0 ? super.emit(event) : super.emit(event, ...values);
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    const given = rest.at(-1);
    const headers = (typeof given === 'object' ? given : {}) as Headers;
    for (const [lowerCase, name, value] of this.common)
      if (headers[lowerCase] === undefined && !this.hasHeader(name)) headers[name] = value;
    if (this.id !== '') headers['X-Request-Id'] = this.id;
    return typeof rest[0] === 'string' ? super.writeHead(status, rest[0], headers) : super.writeHead(status, headers);
  }
}

type Headers = Record<string, string | string[] | number>;

/** The milliseconds since the request's head was read. */
export function elapsedMs({ begunAt }: Pick<Answer, 'begunAt'>): number {
  return performance.now() - begunAt;
}
