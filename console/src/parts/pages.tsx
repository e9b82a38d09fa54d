import { Button, Group } from '@mantine/core';
import { useFormats, useWords } from '../words/words.tsx';

interface PagesProps {
  page: number;
  size: number;
  total: number;
  /** Whether there are more than `total`. */
  isMinimum?: boolean | undefined;
  onPage: (page: number) => void;
}

/** 1–20 of 85, and the buttons to the pages before and after. Stands in the foot of a table. */
export function Pages({ page, size, total, isMinimum, onPage }: PagesProps) {
  const { parts } = useWords();
  const { number } = useFormats();
  const from = page * size + 1;
  const to = Math.min(total, from + size - 1);
  const all = isMinimum ? parts.atLeast(number(total)) : number(total);
  return (
    <>
      <span className="figure">{total > 0 && parts.range(number(from), number(to), all)}</span>
      <Group component="nav" aria-label={parts.pages} gap={8}>
        <Button size="compact-sm" disabled={page === 0} onClick={() => onPage(page - 1)}>
          {parts.previous}
        </Button>
        <Button size="compact-sm" disabled={to >= total} onClick={() => onPage(page + 1)}>
          {parts.next}
        </Button>
      </Group>
    </>
  );
}
