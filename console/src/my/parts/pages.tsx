import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import { Action } from './action.tsx';
import { Fault } from './fault.tsx';
import { Waiting } from './waiting.tsx';

interface PagesProps<Page> {
  read: UseInfiniteQueryResult<InfiniteData<Page, unknown>>;
  /** What stands there when there is nothing. */
  empty: ReactNode;
  isEmpty?: (pages: readonly Page[]) => boolean;
  children: (pages: readonly Page[]) => ReactNode;
}

/** A list that is read page by page. One that is read again stays readable. */
export function Pages<Page>({ read, empty, isEmpty, children }: PagesProps<Page>) {
  const { parts } = useWords();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = read;
  return (
    <>
      <Fault error={error} retry={() => void (data && hasNextPage ? fetchNextPage() : refetch())} />
      {isPending && <Waiting />}
      {data && (isEmpty?.(data.pages) ? empty : children(data.pages))}
      {hasNextPage && !error && (
        <div className="block">
          <Action look="plain" isPending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {parts.more}
          </Action>
        </div>
      )}
    </>
  );
}
