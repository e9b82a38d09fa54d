import { GiftwireError } from '@giftwire/sdk';

const attempts = 5;
const firstPauseMs = 500;

/** Repeats work that a busy or restarting service has rejected, with growing pauses. For long work in the background. Without a connection there is nothing to wait for. */
export async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !navigator.onLine || !mayPass(error)) throw error;
      await pause(firstPauseMs * 2 ** (attempt - 1));
      signal.throwIfAborted();
    }
  }
}

function mayPass(error: unknown): boolean {
  if (!(error instanceof GiftwireError)) return false;
  return error.status === null || error.status === 429 || error.status >= 500;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
