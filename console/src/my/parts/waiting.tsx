import { useWords } from '../words/words.tsx';

interface WaitingProps {
  /** Whether the total's place is kept, so that it never jumps. */
  hasSum?: boolean;
  rows?: number;
}

/** Lines in the shape of what comes, after 300 ms. */
export function Waiting({ hasSum = false, rows = 3 }: WaitingProps) {
  const { parts } = useWords();
  return (
    <div className="skeleton" role="status">
      <span className="said">{parts.loading}</span>
      {hasSum && <i className="tall" />}
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all alike
        <div className="person" key={row}>
          <i className="round" />
          <i />
          <i className="short" />
        </div>
      ))}
    </div>
  );
}
