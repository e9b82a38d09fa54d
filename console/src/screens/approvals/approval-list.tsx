import type { ApprovalQuery } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { ListPages } from '../../parts/pages.tsx';
import { Foot } from '../../parts/table.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './approvals.module.css';
import { OrderRow } from './order-row.tsx';
import { ShoutoutRow } from './shoutout-row.tsx';
import type { Overtaken } from './use-decision.ts';

const size = 50;

interface ApprovalListProps {
  query: Pick<ApprovalQuery, 'state' | 'mine' | 'sent'>;
  /** Whether the user can decide in the list. */
  isOpen?: boolean;
  onOvertaken: (found: Overtaken) => void;
  /** Shows all that waits, for those who see it. */
  onAll?: (() => void) | null;
}

export function ApprovalList({ query, isOpen = false, onOvertaken, onAll = null }: ApprovalListProps) {
  const { approvals: words } = useWords();
  const [filters] = useFilters();
  const page = Number(filters.page ?? 0);
  const { data, error, refetch } = useQuery({
    queryKey: ['approvals', 'list', query, page],
    queryFn: ({ signal }) => giftwire.approvals.list({ ...query, page, size }, { signal }),
    placeholderData: keepPreviousData,
  });
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (!data) return <Waiting lines={8} />;
  if (data.totalElements === 0) return <Nothing query={query} isOpen={isOpen} onAll={onAll} />;
  return (
    <>
      <ul className={`entries ${styles.list}`} aria-label={words.list}>
        {data.approvals.map(({ order, shoutout }) => (
          <Fragment key={order?.requestId ?? shoutout?.id}>
            {order && <OrderRow order={order} isOpen={isOpen} onOvertaken={onOvertaken} />}
            {shoutout && <ShoutoutRow shoutout={shoutout} isOpen={isOpen} onOvertaken={onOvertaken} />}
          </Fragment>
        ))}
      </ul>
      {data.totalPages > 1 && (
        <Foot isFlush>
          <ListPages list={data} />
        </Foot>
      )}
    </>
  );
}

function Nothing({ query, isOpen, onAll }: Pick<ApprovalListProps, 'query' | 'isOpen' | 'onAll'>) {
  const { approvals: words } = useWords();
  if (query.sent) return <Empty title={words.noneSent}>{words.noneSentText}</Empty>;
  if (query.state !== 'WAITING') return <Empty title={words.noneDecided}>{words.noneDecidedText}</Empty>;
  if (!isOpen) return <Empty title={words.noneAll}>{words.noneAllText}</Empty>;
  return (
    <Empty title={words.noneMine} action={onAll && <Button onClick={onAll}>{words.seeAll}</Button>}>
      {words.noneMineText}
    </Empty>
  );
}
