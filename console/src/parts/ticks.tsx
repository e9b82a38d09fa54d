import styles from './ticks.module.css';

export interface Tick {
  key: string;
  good: number;
  bad: number;
  /** What shows when one points at it. */
  title: string;
}

/** A bar for each period, with what went wrong hatched at its top. `label` says in a sentence what the chart shows. */
export function Ticks({ label, ticks }: { label: string; ticks: readonly Tick[] }) {
  const most = Math.max(1, ...ticks.map(({ good, bad }) => good + bad));
  const height = (count: number) => ({ height: `${(count / most) * 100}%` });
  return (
    <div className={styles.ticks} role="img" aria-label={label}>
      {ticks.map(({ key, good, bad, title }) => (
        <span key={key} title={title}>
          {bad > 0 && <i data-bad style={height(bad)} />}
          {good > 0 && <i style={height(good)} />}
        </span>
      ))}
    </div>
  );
}

const [width, top, bottom] = [92, 3, 18];

/** A line of counts without an axis. The figure beside it says what they are. */
export function Spark({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const points = values.map((value, nth) => {
    const x = (nth / Math.max(1, values.length - 1)) * width;
    return `${x.toFixed(1)},${(bottom - (value / most) * (bottom - top)).toFixed(1)}`;
  });
  return (
    <svg className={styles.spark} viewBox={`0 0 ${width} ${top + bottom + 1}`} aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}
