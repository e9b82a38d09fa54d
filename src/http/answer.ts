import { type IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** A header by its name in lower case, and its line. */
type Line = readonly [name: string, text: string];

/** What is sent with every answer of a route, unless the answer has a header of the same name. */
export function headerLines(headers: Readonly<Record<string, string>>): readonly Line[] {
  return Object.entries(headers).map(([name, value]) => [name.toLowerCase(), `${name}: ${value}\r\n`]);
}

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
  reply: FastifyReply | null = null;
  onOver: ((answer: Answer) => void) | null = null;
  common: readonly Line[] = [];

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'close' && this.onOver !== null) {
      this.onOver(this);
      this.onOver = null;
    }
    return values.length === 0 ? super.emit(event) : super.emit(event, ...values);
  }

  _storeHeader(statusLine: string, headers: Readonly<Record<string, unknown>> | null): void {
    let lines = statusLine;
    if (this.reply !== null) lines += `X-Request-Id: ${this.reply.request.id}\r\n`;
    for (const [name, text] of this.common) if (headers?.[name] === undefined) lines += text;
    storeHeader.call(this, lines, headers);
  }
}

/** The milliseconds since the request's head was read. */
export function elapsedMs({ raw }: FastifyReply): number {
  return performance.now() - (raw as Answer).begunAt;
}
