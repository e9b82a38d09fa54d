/**
 * Reads something for all who ask: those who come while it is being read share the reading, and those who come soon
 * after get what was read. How long it is good for counts from the beginning of the reading.
 */
export function shareAnswer<T>(read: () => Promise<T>, goodForMs: (answer: T) => number): () => Promise<T> {
  let answer: Promise<T> | null = null;
  let goodUntil = 0;
  return () => {
    const now = performance.now();
    if (answer && now < goodUntil) return answer;
    goodUntil = Number.POSITIVE_INFINITY;
    answer = read();
    answer.then(
      (value) => {
        goodUntil = now + goodForMs(value);
      },
      () => {
        goodUntil = 0;
      },
    );
    return answer;
  };
}
