export interface Stopping {
  /** Aborted by the first signal. */
  signal: AbortSignal;
  /** The exit code for the signal that came; null before one has come. */
  exitCode(): number | null;
  /** Removes the signal handlers. */
  end(): void;
}

const codes = { SIGINT: 130, SIGTERM: 143 } as const;
/** npm may pass on a signal that the terminal has also sent to this process: within this time, both count as one. */
const sameSignalMs = 1_000;

/** The first Ctrl-C lets the command finish its current step; the second one ends the program at once. */
export function stopOnSignal(say: string): Stopping {
  const controller = new AbortController();
  let code: number | null = null;
  let since = 0;
  const stop = (name: NodeJS.Signals) => {
    if (code !== null && Date.now() - since > sameSignalMs) process.exit(code);
    if (code !== null) return;
    code = codes[name as keyof typeof codes];
    since = Date.now();
    console.error(say);
    controller.abort();
  };
  for (const name of Object.keys(codes)) process.on(name, stop);
  return {
    signal: controller.signal,
    exitCode: () => code,
    end: () => {
      for (const name of Object.keys(codes)) process.off(name, stop);
    },
  };
}

/** Passes bytes on until the signal is aborted, also while it waits for input. */
export async function* untilAborted(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const next = await unlessAborted(source.next(), signal);
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited, because a source that waits for input does not end before the input comes.
    source.return?.().catch(() => {});
  }
}

/** Null if the signal is aborted first. Promise.race with one promise of the signal would keep all values until the signal's end. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(null);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
