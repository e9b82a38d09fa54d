import { queryOptions, useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Feed } from '../../parts/feed.tsx';
import { Go, GoButton } from '../../parts/link.tsx';
import { Section } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';

/** Enough for five entries, also where one order thanked many people. */
const query = { size: 20 };
const most = 5;

export const latestQuery = queryOptions({
  queryKey: ['activities', query],
  queryFn: ({ signal }) => giftwire.reports.teamActivity(query, { signal }),
});

/** The latest words of thanks. In a company that begins, what to do first. */
export function Latest({ isFirst }: { isFirst: boolean }) {
  const { home } = useWords();
  const can = useCan();
  const { data, error, refetch } = useQuery(latestQuery);
  if (isFirst && data?.activities.length === 0)
    return (
      <Empty
        title={home.firstTitle}
        action={
          can('orders:write') && (
            <GoButton to="/send" variant="filled">
              {home.firstAct}
            </GoButton>
          )
        }
      >
        {home.firstText}
      </Empty>
    );
  return (
    <Section title={home.latest} beside={can('recognition:read') && <Go to="/recognition">{home.all}</Go>}>
      <Fault error={error} retry={refetch} />
      {!data && !error && <Waiting lines={6} />}
      <Feed activities={data?.activities ?? []} most={most} isCut />
    </Section>
  );
}
