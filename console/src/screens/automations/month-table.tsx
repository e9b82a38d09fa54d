import type { AutomationPlan, PlannedOccurrence } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { Face } from '../../parts/face.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { tell } from '../../parts/tell.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './automation.module.css';
import { languageName } from './message.tsx';
import type { AutomationTerms } from './terms.ts';
import { cityOf } from './zone.ts';

interface MonthTableProps {
  plan: AutomationPlan;
  month: string;
  terms: AutomationTerms;
  /** Null: it is not saved yet, or the user cannot change it. */
  automationId: number | null;
}

/** Who gets what on which day of a month. */
export function MonthTable({ plan, month, terms, automationId }: MonthTableProps) {
  const { automations: words } = useWords();
  const { number, monthOfYear, weekdayName, momentIn, shortDay } = useFormats();
  const skip = useSkip(automationId);
  const { listed, currency } = plan;
  const all = plan.months.find((one) => one.month === month)?.people ?? listed.length;
  const name = monthOfYear(`${month}-01`);
  if (listed.length === 0) return null;
  const columns: Column<PlannedOccurrence>[] = [
    {
      key: 'person',
      head: words.months.person,
      cell: ({ memberId, firstName, lastName }) => (
        <span className={styles.who}>
          <Face name={`${firstName} ${lastName}`} size={26} />
          <Go to={`/people/${memberId}`}>{`${firstName} ${lastName}`.trim()}</Go>
        </span>
      ),
    },
    {
      key: 'day',
      head: words.months.day,
      cell: ({ forDay }) => (
        <span className="figure">
          {weekdayName(forDay, 'short')} {shortDay(forDay)}
        </span>
      ),
    },
    ...(terms.trigger.is === 'ANNIVERSARY'
      ? [
          {
            key: 'years',
            head: words.months.what,
            isNumber: true,
            cell: ({ years }: PlannedOccurrence) => years,
          },
        ]
      : []),
    {
      key: 'sent',
      head: words.months.sentOn,
      cell: ({ dueAt, timeZone }) => (
        <span className="second">
          {momentIn(dueAt, timeZone)}, {cityOf(timeZone)}
        </span>
      ),
    },
    {
      key: 'message',
      head: words.months.language,
      isOptional: true,
      cell: ({ language }) => (
        <span className="quiet">{language === null ? words.months.noMessage : languageName(language)}</span>
      ),
    },
    ...(currency === null
      ? []
      : [
          {
            key: 'amount',
            head: words.months.amount,
            isNumber: true,
            cell: ({ amount }: PlannedOccurrence) => amount !== null && <Money amount={amount} currency={currency} />,
          },
        ]),
    {
      key: 'act',
      head: words.months.act,
      hidesHead: true,
      cell: (one) =>
        automationId === null ? (
          one.isSkipped && <span className="quiet">{words.months.skipped}</span>
        ) : (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={one.isSkipped ? undefined : words.months.skipOf(`${one.firstName} ${one.lastName}`.trim())}
            disabled={skip.isPending}
            onClick={() => skip.mutate(one)}
          >
            {one.isSkipped ? words.months.unskip : words.months.skip}
          </Button>
        ),
    },
  ];
  return (
    <div className={styles.table}>
      <Fault error={skip.error} />
      <Table
        label={words.months.table(name)}
        columns={columns}
        rows={listed}
        rowKey={({ memberId, forDay }) => `${memberId} ${forDay}`}
        foot={<span className="figure">{words.months.shown(number(listed.length), number(all), name)}</span>}
      />
    </div>
  );
}

type Choice = Pick<PlannedOccurrence, 'memberId' | 'forDay' | 'firstName' | 'lastName' | 'isSkipped'>;

/** Skips one occurrence, or no longer skips it. */
export function useSkip(automationId: number | null) {
  const { automations: words } = useWords();
  const queries = useQueryClient();
  const skip = useMutation({
    mutationFn: async ({ memberId, forDay, isSkipped }: Choice) => {
      await giftwire.automations[isSkipped ? 'unskip' : 'skip'](automationId ?? 0, { memberId, forDay });
    },
    onSuccess: (_, one) => {
      if (!one.isSkipped)
        tell(words.months.toldSkipped(`${one.firstName} ${one.lastName}`.trim()), {
          label: words.months.undo,
          run: () => skip.mutate({ ...one, isSkipped: true }),
        });
      return queries.invalidateQueries({ queryKey: ['automations'] });
    },
  });
  return skip;
}
