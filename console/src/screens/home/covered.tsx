import { queryOptions, useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useHere } from '../../data/me.tsx';
import { Bars } from '../../parts/bars.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Section } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

const query = { by: 'department', sort: 'people', size: 8 } as const;

export const coveredQuery = queryOptions({
  queryKey: ['reports', 'coverage', query],
  queryFn: ({ signal }) => giftwire.reports.coverage(query, { signal }),
});

/** The largest departments, the one with the smallest share first. */
export function Covered() {
  const { home } = useWords();
  const { number, percent } = useFormats();
  // A manager's report covers their own people alone.
  const isManager = useHere().workspace.seesReportsOnly;
  const { data, error, refetch } = useQuery(coveredQuery);
  const company = data?.company.share ?? null;
  const groups = [...(data?.groups ?? [])].sort((one, other) => (one.share ?? 0) - (other.share ?? 0));
  const forgotten = data ? data.company.people - data.company.recognized : 0;
  return (
    <Section
      title={home.covered}
      beside={company !== null && `┆ ${(isManager ? home.yourPeople : home.company)(percent(company))}`}
    >
      <Fault error={error} retry={refetch} />
      {!data && !error && <Waiting lines={6} />}
      <Bars
        label={home.covered}
        whole={company}
        bars={groups.map(({ name, share, people, recognized }) => ({
          key: name ?? '',
          name: name ?? <span className="quiet">{home.none}</span>,
          share: share ?? 0,
          figure: percent(share ?? 0),
          counts: `${number(recognized)}/${number(people)}`,
        }))}
      />
      {data && data.company.people > 0 && (
        <p style={{ marginTop: 14 }}>
          {forgotten === 0 ? (
            home.allCovered
          ) : (
            <Go to="/reports" search={{ view: 'forgotten' } as never}>
              {home.forgotten(forgotten, number(forgotten))}
            </Go>
          )}
        </p>
      )}
    </Section>
  );
}
