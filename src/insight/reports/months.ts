import { addDays } from '../../ground/values/calendar.ts';
import type { ReportSpan } from './span.ts';

/** The months of a span, each with its days: the first begins and the last one ends with the span. Each is as of its last day. */
export function monthsOf({ from, to, asOf }: ReportSpan): (ReportSpan & { name: string })[] {
  const last = to < asOf ? to : asOf;
  const months: (ReportSpan & { name: string })[] = [];
  for (let begin = from; begin <= last; ) {
    const [year, month] = begin.split('-').map(Number) as [number, number];
    const next = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
    const end = next <= last ? addDays(next, -1) : last;
    months.push({ name: begin.slice(0, 7), from: begin, to: end, asOf: end });
    begin = next;
  }
  return months;
}
