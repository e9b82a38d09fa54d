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
  const aborted = new Promise<{ done: true; value: undefined }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true });
  });
  try {
    while (!signal.aborted) {
      const { done, value } = await Promise.race([source.next(), aborted]);
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited, because a source that waits for input does not end before the input comes.
    source.return?.().catch(() => {});
  }
}
