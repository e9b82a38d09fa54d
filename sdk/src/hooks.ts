import type { GiftwireError } from './error.ts';
import type { RequestInfo, ResponseInfo } from './responses.ts';

/** Called at each step of each call, for logs, metrics and traces. What they throw ends the call. */
export interface Hooks {
  onRequest?: ((request: RequestInfo) => void) | undefined;
  /** Called for every response, also for those with an error. */
  onResponse?: ((response: ResponseInfo) => void) | undefined;
  /** Called before the wait after which an attempt is repeated. */
  onRetry?: ((retry: RequestInfo & { error: GiftwireError; delayMs: number }) => void) | undefined;
}
