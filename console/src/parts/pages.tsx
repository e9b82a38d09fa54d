import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useFilters } from '../data/filters.ts';
import { useFormats, useWords } from '../words/words.tsx';

interface PagesProps {
  page: number;
  size: number;
  total: number;
  /** Whether there are more than `total`. */
  isMinimum?: boolean | undefined;
  onPage: (page: number) => void;
}

/** A page of a list, as the service counts it. */
interface Listed {
  page: number;
  size: number;
  totalElements: number;
  totalIsMinimum?: boolean | undefined;
}

/** The pages of a list. Which of them is shown is in the URL. */
export function ListPages({ list: { page, size, totalElements, totalIsMinimum } }: { list: Listed }) {
  const [, change] = useFilters();
  return (
    <Pages
      page={page}
      size={size}
      total={totalElements}
      isMinimum={totalIsMinimum}
      onPage={(to) => change({ page: String(to) })}
    />
  );
}

/** 1–20 of 85, and the buttons to the pages before and after. Stands in the foot of a table. */
export function Pages({ page, size, total, isMinimum, onPage }: PagesProps) {
  const { parts } = useWords();
  const { number } = useFormats();
  const from = page * size + 1;
  const to = Math.min(total, from + size - 1);
  const all = isMinimum ? parts.atLeast(number(total)) : number(total);
  return (
    <Foot
      shown={total > 0 && parts.range(number(from), number(to), all)}
      onPrevious={page === 0 ? null : () => onPage(page - 1)}
      onNext={to >= total ? null : () => onPage(page + 1)}
    />
  );
}

interface FootProps {
  shown: ReactNode;
  /** Null: this is the first page. */
  onPrevious: (() => void) | null;
  /** Null: this is the last page. */
  onNext: (() => void) | null;
  next?: string | undefined;
  isLoading?: boolean;
}

function Foot({ shown, onPrevious, onNext, next, isLoading = false }: FootProps) {
  const { parts } = useWords();
  return (
    <>
      <span className="figure">{shown}</span>
      <Group component="nav" aria-label={parts.pages} gap={8}>
        <Button size="compact-sm" disabled={!onPrevious} onClick={() => onPrevious?.()}>
          {parts.previous}
        </Button>
        <Button size="compact-sm" disabled={!onNext} loading={isLoading} onClick={() => onNext?.()}>
          {next ?? parts.next}
        </Button>
      </Group>
    </>
  );
}

/** What TanStack Query returns for a list that is read piece by piece. */
interface Pieces<Piece> {
  data: { pages: Piece[] } | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

interface TurnOptions {
  /** How many rows a full page has. */
  size: number;
  /** How many rows there are in all, where that is known. */
  total?: number | undefined;
  isMinimum?: boolean | undefined;
  /** For a search in pieces: what a page with fewer rows says, and the button that searches on. */
  pieces?: { text: string; next: string };
}

/**
 * Pages of a list that continues with `next`, shown as those of a list that is counted. The list is read as far as the reader has turned.
 * A component that shows another list gets another `key`, so that it begins at the first page.
 */
export function useTurning<Piece, Row>(
  list: Pieces<Piece>,
  rowsOf: (piece: Piece) => readonly Row[],
  options: TurnOptions,
) {
  const { parts } = useWords();
  const { number } = useFormats();
  const [asked, setAt] = useState(0);
  const read = list.data?.pages.map(rowsOf) ?? [];
  const at = Math.min(asked, Math.max(0, read.length - 1));
  const rows = read[at] ?? [];
  const isLast = at >= read.length - 1;
  const hasNext = !isLast || list.hasNextPage;
  const from = read.slice(0, at).reduce((sum, { length }) => sum + length, 0) + 1;
  const to = from + rows.length - 1;
  const { size, total, isMinimum, pieces } = options;
  const isPiece = pieces !== undefined && isLast && list.hasNextPage && rows.length < size;
  const all = total === undefined ? null : isMinimum ? parts.atLeast(number(total)) : number(total);
  const range =
    rows.length === 0
      ? null
      : all === null
        ? parts.shown(number(from), number(to))
        : parts.range(number(from), number(to), all);
  const turn = async (to: number) => {
    if (to >= read.length) await list.fetchNextPage();
    setAt(to);
  };
  const foot = (at > 0 || hasNext) && (
    <Foot
      shown={isPiece && rows.length === 0 ? pieces.text : range}
      onPrevious={at === 0 ? null : () => void turn(at - 1)}
      onNext={hasNext ? () => void turn(at + 1) : null}
      next={isPiece ? pieces.next : undefined}
      isLoading={list.isFetchingNextPage}
    />
  );
  return { rows, loaded: read.flat() as Row[], isEmpty: read.flat().length === 0 && !list.hasNextPage, foot };
}
