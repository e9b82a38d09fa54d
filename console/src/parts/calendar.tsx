import { UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { addDays, addMonths, weeksOf } from '../words/typed-day.ts';
import { useFormats, useWords } from '../words/words.tsx';
import styles from './calendar.module.css';
import { Icon } from './icon.tsx';

interface CalendarProps {
  /** As 2026-11-18. */
  value: string;
  min: string | undefined;
  max: string | undefined;
  onChoose: (day: string) => void;
}

/** A month of days. Arrows move by day and week, Page Up and Page Down by month; Enter chooses. */
export function Calendar({ value, min, max, onChoose }: CalendarProps) {
  const { parts } = useWords();
  const formats = useFormats();
  const [at, setAt] = useState(value);
  const grid = useRef<HTMLTableElement>(null);
  const hasMoved = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the day
  useEffect(() => {
    if (hasMoved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    hasMoved.current = false;
  }, [at]);
  const weeks = weeksOf(at);
  const isOpen = (day: string) => (!min || day >= min) && (!max || day <= max);
  const move = (event: KeyboardEvent) => {
    const to = target(event.key, at, weeks);
    if (!to) return;
    event.preventDefault();
    hasMoved.current = true;
    setAt(to);
  };
  const turn = (months: number, name: string) => (
    <UnstyledButton className={styles.turn} aria-label={name} onClick={() => setAt(addMonths(at, months))}>
      <Icon name={months < 0 ? 'left' : 'right'} size={16} />
    </UnstyledButton>
  );
  return (
    <div className={styles.calendar}>
      <div className={styles.head}>
        {turn(-1, parts.monthBefore)}
        <b aria-live="polite">{formats.monthOfYear(at)}</b>
        {turn(1, parts.monthAfter)}
      </div>
      <table ref={grid} aria-label={formats.monthOfYear(at)} onKeyDown={move}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" abbr={formats.weekdayName(day, 'long')}>
                {formats.weekdayName(day, 'short')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <UnstyledButton
                    className={styles.day}
                    tabIndex={day === at ? 0 : -1}
                    data-autofocus={day === at || undefined}
                    aria-label={formats.date(day)}
                    aria-pressed={day === value}
                    data-outside={day.slice(0, 7) !== at.slice(0, 7) || undefined}
                    data-chosen={day === value || undefined}
                    disabled={!isOpen(day)}
                    onClick={() => onChoose(day)}
                  >
                    {Number(day.slice(8))}
                  </UnstyledButton>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function target(key: string, at: string, weeks: string[][]): string | null {
  const week = weeks.find((days) => days.includes(at));
  const to: Record<string, () => string | undefined> = {
    ArrowLeft: () => addDays(at, -1),
    ArrowRight: () => addDays(at, 1),
    ArrowUp: () => addDays(at, -7),
    ArrowDown: () => addDays(at, 7),
    PageUp: () => addMonths(at, -1),
    PageDown: () => addMonths(at, 1),
    Home: () => week?.[0],
    End: () => week?.at(-1),
  };
  return to[key]?.() ?? null;
}
