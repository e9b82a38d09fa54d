export interface Stopping {
  /** Aborted by the first signal. */
  signal: AbortSignal;
  /** The exit code of a program that a signal has ended; null while none has come. */
  exitCode(): number | null;
  /** Signals end the program again. */
  end(): void;
}

const codes = { SIGINT: 130, SIGTERM: 143 } as const;
/** What starts the program may pass a signal on that the terminal has sent to both. */
const sameSignalMs = 1_000;

/** Lets a command end what it is doing when Ctrl-C is pressed; pressed once more, it ends the program at once. */
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

/** Passes bytes on until the signal is aborted, also where no more of them come. */
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
    // Not awaited: a source that waits for input does not end before it comes.
    source.return?.().catch(() => {});
  }
}
