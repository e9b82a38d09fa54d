import { GiftwireError } from '@giftwire/sdk';

/** Without a response, what was to be sent is kept, and its keys keep it from being sent twice. Other errors say themselves what happened. */
export function notSent(error: unknown, said: { offline: string; unreachable: string }): unknown {
  if (!(error instanceof GiftwireError) || error.status !== null) return error;
  return new Error(navigator.onLine ? said.unreachable : said.offline);
}
