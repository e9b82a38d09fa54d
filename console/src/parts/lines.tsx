import { type PointerEvent, useState } from 'react';
import styles from './lines.module.css';

export interface Line {
  name: string;
  /** A token of tokens.css, as --c1. */
  colour: '--c1' | '--c2' | '--c3' | '--c4';
  values: readonly number[];
}

interface LinesProps {
  /** What the chart says, in a sentence, for people who do not see it. */
  label: string;
  /** A name for each step: 12 Oct. */
  steps: readonly string[];
  lines: readonly Line[];
  format: (value: number) => string;
  /** How the axis writes its figures; absent: as all others. */
  axis?: (value: number) => string;
}

const width = 1_000;
const height = 200;

/** A line for each series, labelled at its end with its last value. The axis begins at 0. Pointing at it shows the figures of a step. */
export function Lines({ label, steps, lines, format, axis = format }: LinesProps) {
  const [shown, setShown] = useState<number | null>(null);
  const top = niceTop(Math.max(1, ...lines.flatMap(({ values }) => values)));
  const x = (step: number) => (steps.length < 2 ? width : (step / (steps.length - 1)) * width);
  const y = (value: number) => height - (value / top) * height;
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width: wide } = event.currentTarget.getBoundingClientRect();
    const step = Math.round(((event.clientX - left) / wide) * (steps.length - 1));
    setShown(Math.min(Math.max(step, 0), steps.length - 1));
  };
  return (
    <figure
      className={styles.plot}
      role="img"
      aria-label={label}
      style={{
        marginLeft: axisWidth([0, 0.5, 1].map((share) => axis(top * share))),
        marginRight: endWidth(lines.map(({ name, values }) => `${name} ${format(values.at(-1) ?? 0)}`)),
      }}
      onPointerMove={point}
      onPointerLeave={() => setShown(null)}
    >
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {[0, 0.5, 1].map((share) => (
          <line key={share} x1="0" x2={width} y1={height * share} y2={height * share} />
        ))}
        {shown !== null && <line className={styles.rule} x1={x(shown)} x2={x(shown)} y1="0" y2={height} />}
        {lines.map(({ name, colour, values }) => (
          <path
            key={name}
            stroke={`var(${colour})`}
            d={values.map((value, step) => `${step === 0 ? 'M' : 'L'}${x(step)} ${y(value)}`).join('')}
          />
        ))}
      </svg>
      {[0, 0.5, 1].map((share) => (
        <span key={share} className={styles.y} style={{ top: `${100 - share * 100}%` }}>
          {axis(top * share)}
        </span>
      ))}
      {markedSteps(steps.length).map((step) => (
        <span
          key={step}
          className={styles.x}
          style={{ left: `${(x(step) / width) * 100}%` }}
          data-edge={edge(step, steps)}
        >
          {steps[step]}
        </span>
      ))}
      <Ends lines={lines} y={y} format={format} />
      {shown !== null && <Reading step={steps[shown] ?? ''} at={shown} lines={lines} format={format} x={x(shown)} />}
    </figure>
  );
}

const leastAxisWidth = 40;
const figureWidth = 7;

/** Room for the longest figure of the axis, in pixels. */
function axisWidth(figures: readonly string[]): number {
  return Math.max(leastAxisWidth, 12 + figureWidth * Math.max(...figures.map((figure) => figure.length)));
}

const leastEndWidth = 136;
const letterWidth = 8;

/** Room for the longest name at the end of a line, in pixels. */
function endWidth(names: readonly string[]): number {
  return Math.max(leastEndWidth, 26 + letterWidth * Math.max(...names.map((name) => name.length)));
}

function edge(step: number, steps: readonly string[]): 'first' | 'last' | undefined {
  if (step === 0) return 'first';
  return step === steps.length - 1 ? 'last' : undefined;
}

/** The first step, the last one, and one or two between them. */
function markedSteps(count: number): number[] {
  if (count < 2) return count === 1 ? [0] : [];
  const parts = count > 6 ? 3 : 1;
  return [...new Set(Array.from({ length: parts + 1 }, (_, part) => Math.round((part / parts) * (count - 1))))];
}

/** The names at the ends of the lines, moved apart where they would lie on each other. */
function Ends({ lines, y, format }: Pick<LinesProps, 'lines' | 'format'> & { y: (value: number) => number }) {
  const ends = lines
    .map(({ name, colour, values }) => ({
      name,
      colour,
      last: values.at(-1) ?? 0,
      at: (y(values.at(-1) ?? 0) / height) * 100,
    }))
    .sort((one, other) => one.at - other.at);
  const apart = 9;
  for (const [nth, end] of ends.entries()) {
    const before = ends[nth - 1];
    if (before && end.at - before.at < apart) end.at = before.at + apart;
  }
  return ends.map(({ name, colour, last, at }) => (
    <span key={name} className={styles.end} style={{ top: `${at}%` }}>
      <i style={{ background: `var(${colour})` }} />
      {name} {format(last)}
    </span>
  ));
}

interface ReadingProps extends Pick<LinesProps, 'lines' | 'format'> {
  step: string;
  at: number;
  x: number;
}

function Reading({ step, at, lines, format, x }: ReadingProps) {
  return (
    <div
      className={styles.reading}
      data-side={x > width / 2 ? 'left' : 'right'}
      style={{ left: `${(x / width) * 100}%` }}
      aria-hidden="true"
    >
      <b>{step}</b>
      {lines.map(({ name, colour, values }) => (
        <div key={name}>
          <i style={{ background: `var(${colour})` }} />
          {name} <b className="figure">{format(values[at] ?? 0)}</b>
        </div>
      ))}
    </div>
  );
}

/** The end of the axis: a round number that halves into another. */
function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  const top = [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((one) => one >= most) ?? most;
  return Math.max(top, 2);
}
