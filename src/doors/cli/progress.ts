const width = 40;
const drawEveryMs = 100;

export interface Bar {
  update(done: number, total?: number): void;
  stop(): void;
}

/** A bar in the last line of a terminal, beside what `describe` says. It is gone when it stops. Elsewhere nothing is shown. */
export function openBar(total: number, describe: (done: number, total: number, leftSeconds: number) => string): Bar {
  const terminal = process.stderr;
  if (!terminal.isTTY) return { update() {}, stop() {} };
  const begun = performance.now();
  let now = { done: 0, total };
  const draw = () => {
    const share = now.total > 0 ? Math.min(1, now.done / now.total) : 0;
    const leftSeconds = share > 0 ? Math.ceil(((performance.now() - begun) / 1_000) * (1 / share - 1)) : 0;
    const full = '█'.repeat(Math.round(width * share)).padEnd(width, '░');
    terminal.write(`\r\u001b[K${full} ${describe(now.done, now.total, leftSeconds)}`);
  };
  const timer = setInterval(draw, drawEveryMs);
  draw();
  return {
    update(done, newTotal = now.total) {
      now = { done, total: newTotal };
    },
    stop() {
      clearInterval(timer);
      terminal.write('\r\u001b[K');
    },
  };
}

/** Passes bytes on and shows how many, if their number is known. */
export async function* withProgress(
  bytes: AsyncIterable<Uint8Array>,
  totalBytes: number | null,
): AsyncGenerator<Uint8Array> {
  if (totalBytes === null) {
    yield* bytes;
    return;
  }
  const bar = openBar(
    totalBytes,
    (done, total, left) => `${Math.floor((100 * done) / total)}%, about ${left} seconds left`,
  );
  let done = 0;
  try {
    for await (const chunk of bytes) {
      yield chunk;
      done += chunk.length;
      bar.update(done);
    }
  } finally {
    bar.stop();
  }
}
