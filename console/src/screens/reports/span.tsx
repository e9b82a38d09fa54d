import { Button, Group, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFilters } from '../../data/filters.ts';
import { useToday } from '../../data/me.tsx';
import { DateField } from '../../parts/date-field.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

const lengths = [30, 90, 365] as const;
const usualDays = 90;
const dayMs = 86_400_000;

export interface ChosenSpan {
  days: number;
  from: string;
  to: string;
  /** Absent: today. */
  asOf?: string;
}

/** The span and the day that the address names. */
export function useSpan(): ChosenSpan {
  const [{ days: text, asOf: named = '' }] = useFilters();
  const days = lengths.find((one) => String(one) === text) ?? usualDays;
  const asOf = isWhole(named) ? named : undefined;
  const today = useToday();
  const to = asOf ?? today;
  return { days, from: addDays(to, 1 - days), to, ...(asOf && { asOf }) };
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** Whether a day is whole. While a year is typed, the field has years such as 0002 and 0020, and then no report is asked for. */
function isWhole(day: string): boolean {
  return /^[12]\d{3}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
}

/** The length of a span in words. */
export function useSpanName(): string {
  const { reports } = useWords();
  const { days } = useSpan();
  return days === 365 ? reports.year : reports.days(days);
}

/** The span, the day, and what else a view lets one choose. */
export function SpanControls({ children }: { children?: ReactNode }) {
  const { reports } = useWords();
  const { date } = useFormats();
  const [, change] = useFilters();
  const { days, asOf } = useSpan();
  return (
    <>
      <Group align="end" gap={12} mb={asOf ? 8 : 24} className="filling">
        <NativeSelect
          label={reports.span}
          value={String(days)}
          onChange={({ target }) => change({ days: target.value })}
          data={lengths.map((one) => ({
            value: String(one),
            label: one === 365 ? reports.year : reports.days(one),
          }))}
        />
        <DayField />
        {asOf && <Button onClick={() => change({ asOf: null })}>{reports.now}</Button>}
        {children}
      </Group>
      {asOf && (
        <p className="quiet small" style={{ marginBottom: 24, maxWidth: '72ch' }}>
          {reports.asOfText(date(asOf))}
        </p>
      )}
    </>
  );
}

/** The date of the reports. They follow once it is a whole date. */
function DayField() {
  const { reports } = useWords();
  const [, change] = useFilters();
  const { to } = useSpan();
  const today = useToday();
  return (
    <DateField
      label={reports.asOf}
      value={to}
      max={today}
      onDay={(day) => day && isWhole(day) && change({ asOf: day === today ? null : day })}
    />
  );
}
