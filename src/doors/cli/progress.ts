/** Passes bytes on and shows a progress bar, if the output is a terminal and the size is known. */
export async function* withProgress(
  bytes: AsyncIterable<Uint8Array>,
  totalBytes: number | null,
): AsyncGenerator<Uint8Array> {
  if (!process.stderr.isTTY || totalBytes === null) {
    yield* bytes;
    return;
  }
  // Loaded here, so that commands without a bar do not wait for it.
  const { SingleBar } = await import('cli-progress');
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
