import { SingleBar } from 'cli-progress';

/** Passes bytes on and shows on a terminal how far they have come; elsewhere, or of unknown size, nothing is shown. */
export async function* withProgress(
  bytes: AsyncIterable<Uint8Array>,
  totalBytes: number | null,
): AsyncGenerator<Uint8Array> {
  if (!process.stderr.isTTY || totalBytes === null) {
    yield* bytes;
    return;
  }
  const bar = new SingleBar({
    format: '{bar} {percentage}%  {eta_formatted} left',
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(totalBytes, 0);
  try {
    for await (const chunk of bytes) {
      yield chunk;
      bar.increment(chunk.length);
    }
  } finally {
    bar.stop();
  }
}
