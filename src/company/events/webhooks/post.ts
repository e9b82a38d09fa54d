import type { KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { EventRecord } from '../../../ground/contract/event.ts';
import { certificateProblem } from '../../../ground/values/certificate.ts';
import { beginningOf } from '../../../ground/values/text.ts';
import { parseRetryAfter } from './schedule.ts';
import { signedHeaders } from './signature.ts';

/** What came of posting one event. `problem` is null when the receiver took it. */
export interface Attempt {
  at: Date;
  status: number | null;
  durationMs: number;
  problem: string | null;
  answer: string | null;
  retryAfterMs: number | null;
}

const timeoutMs = 15_000;
const keptAnswer = 1_000;
// More than this is not worth reading to keep the connection.
const readAnswerBytes = 64 * 1024;

/** What a post is signed with. Receivers reject a signature whose time is minutes off, so the time is the database's. */
export interface Signing {
  secrets: readonly KeyObject[];
  clock: () => Date;
}

/** Posts an event once, signed with each of the secrets. Never throws: what went wrong is in the attempt. */
export async function postEvent(
  dispatcher: Dispatcher,
  url: string,
  { event, history }: { event: EventRecord; history: string },
  { secrets, clock }: Signing,
  signal: AbortSignal,
  more: { traceparent?: string } = {},
): Promise<Attempt> {
  const at = clock();
  const began = performance.now();
  const body = JSON.stringify(event);
  const headers = {
    ...signedHeaders(secrets, event.id, body, at),
    'content-type': 'application/json',
    'giftwire-history': history,
    'user-agent': 'Giftwire',
    ...more,
  };
  const outcome = await new Promise<Outcome>((resolve) => {
    const exchange = new Exchange(signal, clock, resolve);
    const { origin, pathname, search } = new URL(url);
    dispatcher.dispatch({ origin, path: `${pathname}${search}`, method: 'POST', headers, body }, exchange);
  });
  return { at, durationMs: Math.round(performance.now() - began), ...outcome };
}

type Outcome = Omit<Attempt, 'at' | 'durationMs'>;

/** One post and its answer. It collects the answer itself: undici's `request` makes a stream for each, which costs more. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal;
  readonly #clock: () => Date;
  readonly #settle: (outcome: Outcome) => void;
  readonly #timer = setTimeout(() => this.#giveUp(`gave no answer within ${timeoutMs / 1_000} s`), timeoutMs);
  readonly #stop = () => this.#giveUp('was stopped');
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  #status = 0;
  #retryAfter: string | string[] | undefined;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(signal: AbortSignal, clock: () => Date, settle: (outcome: Outcome) => void) {
    this.#signal = signal;
    this.#clock = clock;
    this.#settle = settle;
    signal.addEventListener('abort', this.#stop, { once: true });
    if (signal.aborted) this.#stop();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error('The post was given up.'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#retryAfter = headers['retry-after'];
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#bytes < keptAnswer * 4) this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes <= readAnswerBytes) return;
    this.#answer();
    controller.abort(new Error('The answer is too long.'));
  }

  onResponseEnd(): void {
    this.#answer();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { code } = error as NodeJS.ErrnoException;
    const problem = certificateProblem(error) ?? (error.message || code || error.name);
    this.#end({ status: null, answer: null, retryAfterMs: null, problem });
  }

  #answer(): void {
    const retryAfter = Array.isArray(this.#retryAfter) ? this.#retryAfter[0] : this.#retryAfter;
    this.#end({
      status: this.#status,
      answer: beginningOf(Buffer.concat(this.#pieces).toString().replaceAll('\0', ''), keptAnswer),
      retryAfterMs: parseRetryAfter(retryAfter, this.#clock()),
      problem: this.#status >= 200 && this.#status < 300 ? null : problemOf(this.#status),
    });
  }

  #giveUp(problem: string): void {
    this.#end({ status: null, answer: null, retryAfterMs: null, problem });
    this.#controller?.abort(new Error('The post was given up.'));
  }

  #end(outcome: Outcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#stop);
    this.#settle(outcome);
  }
}

function problemOf(status: number): string {
  return status >= 300 && status < 400
    ? `answered ${status}, and redirects are not followed: give the webhook the final address`
    : `answered ${status}`;
}
