import { useFormats } from '../words/words.tsx';
import styles from './split.module.css';

export interface Share {
  key: string;
  /** The word after the count: spent. */
  name: string;
  count: number;
  colour: string;
  /** Something to act on. */
  isBad?: boolean;
}

interface SplitProps {
  label: string;
  shares: readonly Share[];
  /** The share that the list below shows alone. */
  chosen: string | null;
  onChoose: (key: string | null) => void;
}

/** How a whole divides: a bar, and under it its shares, each of which filters the list below. */
export function Split({ label, shares, chosen, onChoose }: SplitProps) {
  const { number } = useFormats();
  return (
    <fieldset className={styles.split} aria-label={label}>
      <div className={styles.bar} aria-hidden="true">
        {shares.map(({ key, count, colour }) => (
          <i key={key} style={{ flexGrow: count, background: colour }} />
        ))}
      </div>
      <div className={styles.key}>
        {shares.map(({ key, name, count, colour, isBad }) => (
          <button
            key={key}
            type="button"
            aria-pressed={chosen === key}
            data-bad={isBad || undefined}
            onClick={() => onChoose(chosen === key ? null : key)}
          >
            <i style={{ background: colour }} aria-hidden="true" />
            {number(count)} {name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
