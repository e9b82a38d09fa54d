import { type IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyContextConfig, FastifyReply } from 'fastify';

/** Headers as lines of text. */
export interface HeaderBlock {
  /** By the names in lower case. */
  lines: readonly (readonly [name: string, line: string])[];
  /** All lines. */
  text: string;
}

/** What is sent with every answer of a route, unless the answer has a header of the same name. */
export function headerBlock(headers: Readonly<Record<string, string>>): HeaderBlock {
  const lines = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), `${name}: ${value}\r\n`] as const);
  return { lines, text: lines.map(([, line]) => line).join('') };
}

/** What a route declares, and its address; without an address for a request that no route serves. */
export type Route = FastifyContextConfig & { url?: string };

const none = headerBlock({});

/** The place of an answer that is not under way. */
export const nowhere = -1;

/** What Node calls to write the status line and the headers. Its types leave it out, because it is not documented. */
type StoreHeader = { _storeHeader(statusLine: string, headers: unknown): void };
const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as StoreHeader;

/**
 * The answer to a request. It calls `onOver` when it is sent or its connection is closed, because a listener on each answer would
 * cost more than what is done then. It adds the headers that most answers have in common as text, because Node would check each of
 * them again for every answer.
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
  common: HeaderBlock = none;

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'close' && this.onOver !== null) {
      this.onOver(this);
      this.onOver = null;
    }
    return values.length === 0 ? super.emit(event) : super.emit(event, ...values);
  }

  _storeHeader(statusLine: string, headers: Readonly<Record<string, unknown>> | null | undefined): void {
    let lines = statusLine;
    if (this.id !== '') lines += `X-Request-Id: ${this.id}\r\n`;
    if (headers) for (const [name, line] of this.common.lines) lines += headers[name] === undefined ? line : '';
    else lines += this.common.text;
    storeHeader.call(this, lines, headers);
  }
}

/** The milliseconds since the request's head was read. */
export function elapsedMs({ begunAt }: Pick<Answer, 'begunAt'>): number {
  return performance.now() - begunAt;
}
