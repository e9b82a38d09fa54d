import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Feed } from '../../parts/feed.tsx';
import { nameOf } from '../../parts/name.ts';
import { ListPages } from '../../parts/pages.tsx';
import { Foot } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';

const size = 20;

/** What was declined, by whom and why. */
export function Declined() {
  const { recognition } = useWords();
  const [filters] = useFilters();
  const page = Number(filters.page ?? 0);
  const { data, error, refetch } = useQuery({
    queryKey: ['shoutouts', 'declined', page],
    queryFn: ({ signal }) => giftwire.shoutouts.list({ status: 'DECLINED', page, size }, { signal }),
    placeholderData: keepPreviousData,
  });
  if (data?.totalElements === 0) return <Empty title={recognition.noDeclined}>{recognition.noDeclinedText}</Empty>;
  return (
    <>
      <Fault error={error} retry={refetch} />
      {!data && !error && <Waiting lines={6} />}
      {data && (
        <>
          <Feed
            activities={data.shoutouts}
            note={({ decidedBy, decisionReason }) =>
              decidedBy && recognition.declinedBy(nameOf(decidedBy), decisionReason ?? '')
            }
          />
          <Foot isFlush>
            <ListPages list={data} />
          </Foot>
        </>
      )}
    </>
  );
}
