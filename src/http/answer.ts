import { type IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/**
 * The answer to a request. It calls `onOver` when it is sent or its connection is closed: a listener on each answer would cost more
 * than what is done then.
 */
export class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  readonly begunAt = performance.now();
  reply: FastifyReply | null = null;
  onOver: ((answer: Answer) => void) | null = null;

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'close' && this.onOver !== null) {
      this.onOver(this);
      this.onOver = null;
    }
    return super.emit(event, ...values);
  }
}

/** The milliseconds since the request's head was read. */
export function elapsedMs({ raw }: FastifyReply): number {
  return performance.now() - (raw as Answer).begunAt;
}
