import type { PayrollPreview } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useCan } from '../../data/me.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Figures } from '../../parts/figures.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ListPages, useTurning } from '../../parts/pages.tsx';
import { Pill } from '../../parts/state-pill.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { ClosedExports } from './closed-exports.tsx';
import { DueLines } from './due-lines.tsx';

const closedSize = 10;
const size = 25;

/** What the next file for payroll will hold, before it is closed, and the files that are closed. */
export default function Payroll() {
  const { screens, spending: words } = useWords();
  const [filters] = useFilters();
  const page = Number(filters.page ?? 0);
  const lines = useInfiniteQuery({
    queryKey: ['redemptions', 'payroll', 'next'],
    queryFn: ({ pageParam, signal }) =>
      giftwire.payroll.next({ size, ...(pageParam !== null && { after: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  const exports = useQuery({
    queryKey: ['redemptions', 'payroll', page],
    queryFn: ({ signal }) => giftwire.payroll.list({ page, size: closedSize }, { signal }),
    placeholderData: keepPreviousData,
  });
  const next = lines.data?.pages[0];
  const { rows, foot } = useTurning(lines, (piece) => piece.lines, { size, total: next?.waiting });
  const error = lines.error ?? exports.error;
  if (!next || !exports.data)
    return (
      <Page title={screens.payroll} text={words.payrollText}>
        {error ? (
          <Fault error={error} retry={() => void Promise.all([lines.refetch(), exports.refetch()])} />
        ) : (
          <Waiting lines={8} />
        )}
      </Page>
    );
  const { data } = exports;
  const closed = data.totalElements > 0 && (
    <Section title={words.closedExports}>
      <ClosedExports exports={data.exports} foot={data.totalElements > closedSize && <ListPages list={data} />} />
    </Section>
  );
  return (
    <Next next={next}>
      {next.waiting === 0 ? (
        <Empty title={words.nothingDue}>{words.payrollText}</Empty>
      ) : (
        <DueLines lines={rows} foot={foot} />
      )}
      {closed}
    </Next>
  );
}

function Next({ next, children }: { next: PayrollPreview; children: React.ReactNode }) {
  const { spending: words } = useWords();
  const { number } = useFormats();
  const canClose = useCan()('budgets:manage');
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const nth = number(next.number);
  return (
    <Page
      title={words.exportOf(nth)}
      beside={
        <Pill tone="neutral" icon="ring">
          {words.open}
        </Pill>
      }
      text={words.openText}
      actions={
        canClose &&
        next.waiting > 0 && (
          <Button variant="filled" onClick={() => setAsking(true)}>
            {words.closeThis(nth)}
          </Button>
        )
      }
    >
      {next.waiting > 0 && <NextFigures next={next} />}
      {children}
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.closeThisTitle(nth)}
        act={words.closeThis(nth)}
        isDangerous={false}
        onAct={async () => {
          const closed = await giftwire.payroll.create();
          await queries.invalidateQueries({ queryKey: ['redemptions'] });
          tell(words.exportClosed(number(closed.number)));
        }}
      >
        {words.closeExportText(next.waiting)}
      </Confirm>
    </Page>
  );
}

function NextFigures({ next }: { next: PayrollPreview }) {
  const { spending: words } = useWords();
  const { money, list, number } = useFormats();
  const { withoutNumber, reversed } = next;
  return (
    <Figures
      label={words.exportOf(number(next.number))}
      figures={[
        {
          name: words.wouldPay,
          value: list(next.totals.map(({ amount, currency }) => money(amount, currency))),
          note: words.linesOf(next.waiting),
        },
        { name: words.takesBack, value: number(reversed), note: words.takesBackNote },
        {
          name: words.withoutNumber,
          value: number(withoutNumber),
          note: withoutNumber > 0 ? words.withoutNumberNote : words.allHaveNumbers,
          isAmber: withoutNumber > 0,
        },
      ]}
    />
  );
}
