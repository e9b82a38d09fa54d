import type { SeriesPoint } from '@giftwire/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useToday } from '../../data/me.tsx';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Lines } from '../../parts/lines.tsx';
import { Go } from '../../parts/link.tsx';
import { Section } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

const dayMs = 86_400_000;
/** Half a year of whole weeks, and the one that runs. */
const weeks = 26;

const shownWeeks = (today: string) => ({ by: 'week' as const, from: firstMonday(today) });

export function weeksQuery(today: string) {
  const query = shownWeeks(today);
  return queryOptions({
    queryKey: ['reports', 'series', query],
    queryFn: ({ signal }) => giftwire.reports.series(query, { signal }),
  });
}

export function Weeks() {
  const { home } = useWords();
  const { number, shortDay } = useFormats();
  const today = useToday();
  const { data, error, refetch } = useQuery(weeksQuery(today));
  const points = wholeWeeks(data?.points ?? []);
  const last = points.at(-1);
  return (
    <Section
      title={home.byWeek}
      beside={
        <>
          <Go to="/reports" search={{ view: 'time' } as never}>
            {home.table}
          </Go>
          <CsvButton name="recognition-by-week.csv" read={() => giftwire.reports.seriesCsv(shownWeeks(today))} />
        </>
      }
    >
      <Fault error={error} retry={refetch} />
      {!data && !error && <Waiting lines={6} />}
      {last && (
        <Lines
          label={home.byWeekLabel(points.length, last.gifts, last.shoutouts)}
          steps={points.map(({ from }) => shortDay(from))}
          format={number}
          lines={[
            { name: home.shoutouts, colour: '--c2', values: points.map(({ shoutouts }) => shoutouts) },
            { name: home.gifts, colour: '--c1', values: points.map(({ gifts }) => gifts) },
          ]}
        />
      )}
    </Section>
  );
}

/** Without the week that runs, which would look like a fall; with it where nothing was given before. */
function wholeWeeks(points: readonly SeriesPoint[]): readonly SeriesPoint[] {
  const whole = points.slice(0, -1);
  return whole.some(({ gifts, shoutouts }) => gifts + shoutouts > 0) ? whole : points;
}

function firstMonday(today: string): string {
  const day = new Date(today);
  const weekday = (day.getUTCDay() + 6) % 7;
  return new Date(day.getTime() - (weekday + weeks * 7) * dayMs).toISOString().slice(0, 10);
}
