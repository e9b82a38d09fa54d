import { Button, SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import { download } from '../../data/download.ts';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Money } from '../../parts/money.tsx';
import { nameOf } from '../../parts/name.ts';
import { Section } from '../../parts/page.tsx';
import { Pages } from '../../parts/pages.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './bulk.module.css';
import { Fixes } from './fixes.tsx';
import { rejectedCsv, useReasons } from './reasons.ts';
import type { OpenSheet } from './use-sheet.ts';
import { peopleAdded, type Verdict } from './verdicts.ts';

type View = 'look' | 'ready' | 'left';
const size = 25;

/** Every row with what becomes of it. Those to review come first. */
export function Rows({ open }: { open: OpenSheet }) {
  const { bulk } = useWords();
  const { verdicts, checked } = open;
  const [view, setView] = useState<View>('look');
  const [page, setPage] = useState(0);
  const whyOf = useReasons(checked);
  const views: Record<View, readonly Verdict[]> = useMemo(
    () => ({
      look: verdicts.filter(({ is }) => is === 'fault' || is === 'number' || is === 'double'),
      ready: verdicts.filter(({ is }) => is === 'ready' || is === 'unchecked'),
      left: verdicts.filter(({ is }) => is === 'left'),
    }),
    [verdicts],
  );
  const rows = views[view];
  const at = Math.min(page, Math.max(0, Math.ceil(rows.length / size) - 1));
  const show = (next: View) => {
    setView(next);
    setPage(0);
  };
  const isAllReady = views.ready.length > 0 && !checked.isBusy && !checked.error;
  const columns: Column<Verdict>[] = [
    { key: 'row', head: bulk.row, cell: ({ row }) => <RowNumber number={row.number} /> },
    { key: 'person', head: bulk.person, cell: (one) => <PersonCell verdict={one} /> },
    {
      key: 'amount',
      head: bulk.fields.amount,
      isNumber: true,
      cell: ({ row }) =>
        isPriced(row) ? (
          <Money amount={row.amount ?? 0} currency={row.currency} />
        ) : (
          <span className={styles.typed}>{row.texts.amount}</span>
        ),
    },
    { key: 'why', head: bulk.why, isWide: true, cell: (one) => <Why reasons={whyOf(one)} /> },
    { key: 'fix', head: bulk.fix, isWide: true, cell: (one) => <Fixes verdict={one} open={open} /> },
  ];
  return (
    <Section title={bulk.check} beside={checked.isBusy ? bulk.checking : undefined}>
      <Counts verdicts={verdicts} isBusy={checked.isBusy} />
      <Fault error={checked.error} retry={checked.retry} />
      {checked.general.map((text) => (
        <p key={text} className={styles.why} role="alert">
          <Icon name="warn" size={16} /> {text}
        </p>
      ))}
      <div className={styles.views}>
        <SegmentedControl
          value={view}
          onChange={(value) => show(value as View)}
          aria-label={bulk.views}
          data={[
            { value: 'look', label: bulk.viewLook(views.look.length) },
            { value: 'ready', label: bulk.viewReady(views.ready.length) },
            { value: 'left', label: bulk.viewLeft(views.left.length) },
          ]}
        />
        {rows.length > 0 && view !== 'ready' && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<Icon name="download" size={16} />}
            onClick={() => void download(bulk.rejectedName, rejectedCsv(open, rows, whyOf, bulk.why))}
          >
            {bulk.downloadRows(rows.length)}
          </Button>
        )}
      </div>
      {rows.length === 0 ? (
        <div className={`box ${styles.clean}`}>
          <Icon name="ok" />
          {view === 'look' && isAllReady ? bulk.nothingToFix : bulk.nothingHere}
        </div>
      ) : (
        <Table
          label={bulk.check}
          columns={columns}
          rows={rows.slice(at * size, (at + 1) * size)}
          rowKey={({ row }) => row.number}
          foot={rows.length > size && <Pages page={at} size={size} total={rows.length} onPage={setPage} />}
        />
      )}
    </Section>
  );
}

/** Whether the row has an amount in a currency that nothing contradicts. */
function isPriced({ amount, faults }: Verdict['row']): boolean {
  return amount !== null && faults.every(({ field }) => field !== 'currency');
}

/** On a phone the header of the column is missing. */
function RowNumber({ number }: { number: number }) {
  const { bulk } = useWords();
  return (
    <span className="figure">
      <span className={`${styles.onPhone} quiet`}>{bulk.row} </span>
      {number}
    </span>
  );
}

/** With the language and the time of delivery that the row itself names. */
function PersonCell({ verdict }: { verdict: Verdict }) {
  const { bulk } = useWords();
  const { moment } = useFormats();
  const { language, deliverAt, texts } = verdict.row;
  const own = [...(texts.language ? [language] : []), ...(texts.deliverAt && deliverAt ? [moment(deliverAt)] : [])];
  return (
    <>
      <b>{personOf(verdict) || bulk.unnamed}</b>
      {own.length > 0 && <div className="small quiet">{own.join(' · ')}</div>}
    </>
  );
}

export function personOf({ row, answer }: Verdict): string {
  const { firstName, lastName } = answer?.item.member ?? row;
  return nameOf({ ...row, firstName, lastName }, '');
}

interface Reason {
  text: string;
  tone?: 'amber' | 'quiet';
}

function Why({ reasons }: { reasons: readonly Reason[] }) {
  return reasons.map(({ text, tone }) => (
    <span key={text} className={styles.why} data-tone={tone}>
      {tone !== 'quiet' && <Icon name={tone === 'amber' ? 'clock' : 'warn'} size={16} />}
      {text}
    </span>
  ));
}

function Counts({ verdicts, isBusy }: { verdicts: readonly Verdict[]; isBusy: boolean }) {
  const { bulk } = useWords();
  const { number } = useFormats();
  const count = (is: Verdict['is']) => verdicts.filter((one) => one.is === is).length;
  const added = peopleAdded(verdicts);
  const unchecked = count('unchecked');
  const figure = (value: number, name: string, tone?: string) => (
    <span data-tone={tone}>
      <b className="figure">{number(value)}</b>
      {name}
    </span>
  );
  return (
    <div className={styles.counts} role="status">
      {figure(count('ready'), bulk.ready)}
      {isBusy && unchecked > 0 && figure(unchecked, bulk.unchecked)}
      {count('fault') > 0 && figure(count('fault'), bulk.mustFix, 'red')}
      {count('number') > 0 && figure(count('number'), bulk.mayBeOther(count('number')), 'amber')}
      {count('double') > 0 && figure(count('double'), bulk.mayDouble(count('double')), 'amber')}
      {added > 0 && figure(added, bulk.willBeAdded(added))}
    </div>
  );
}
