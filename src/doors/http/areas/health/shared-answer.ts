/**
 * Reads once for many callers: those who ask during a reading share it, and those who ask soon after get the same answer.
 * The time that an answer is good for counts from the beginning of its reading.
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
