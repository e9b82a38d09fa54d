import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useWords } from '../words/words.tsx';

/** Lines in place of what is being loaded, after 300 ms: nothing flickers where the answer is quick. */
export function Waiting({ lines = 4 }: { lines?: number }) {
  const { parts } = useWords();
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 300);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return null;
  return (
    <div role="status">
      <span className="said">{parts.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={line} height={14} mt={line === 0 ? 8 : 20} width={`${90 - ((line * 17) % 40)}%`} />
      ))}
    </div>
  );
}
