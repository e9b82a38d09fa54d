import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { CsvButton } from '../../parts/csv-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Feed, type FeedRow } from '../../parts/feed.tsx';
import { ListPages } from '../../parts/pages.tsx';
import { Foot } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';

const size = 20;

/** Everything that was given, the newest first. A user without reports reads the approved shoutouts. */
export function AllRecognition() {
  const { recognition } = useWords();
  const can = useCan();
  const { workspace } = useHere();
  const [filters] = useFilters();
  const page = Number(filters.page ?? 0);
  const readsReports = can('reports:read');
  const { data, error, refetch } = useQuery({
    queryKey: ['activities', 'feed', page],
    queryFn: async ({ signal }) => {
      if (readsReports) return giftwire.reports.teamActivity({ page, size }, { signal });
      const { shoutouts, ...rest } = await giftwire.shoutouts.list({ status: 'APPROVED', page, size }, { signal });
      return { ...rest, activities: shoutouts };
    },
    placeholderData: keepPreviousData,
  });
  if (data?.totalElements === 0) return <Empty title={recognition.noFeed}>{recognition.noFeedText}</Empty>;
  return (
    <>
      <Fault error={error} retry={refetch} />
      {!data && !error && <Waiting lines={8} />}
      {data && (
        <>
          <Feed activities={data.activities as readonly FeedRow[]} isCut={data.page + 1 < data.totalPages} />
          <Foot isFlush>
            {readsReports && !workspace.seesReportsOnly && (
              <CsvButton name="recognition.csv" read={() => giftwire.reports.teamActivityCsv()} />
            )}
            <ListPages list={data} />
          </Foot>
        </>
      )}
    </>
  );
}
