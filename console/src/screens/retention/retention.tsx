import type { RetentionRule, RetentionRules } from '@giftwire/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { useBegunVersion } from '../../data/version.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { SaveBar } from '../settings/save-bar.tsx';
import { Days } from './days.tsx';
import styles from './retention.module.css';

/** What a person has typed for some kinds; null: always. */
type Typed = Partial<Record<RetentionRule['kind'], number | null>>;

/** How long the workspace keeps each kind of record, why, and what the next run removes. */
export default function Retention() {
  const { screens, retention: words } = useWords();
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', 'retention'],
    queryFn: ({ signal }) => giftwire.settings.retention({ signal }),
    structuralSharing: false,
  });
  return (
    <Page title={screens.retention} text={words.text}>
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting lines={8} />}
      {data && <Form stored={data} />}
    </Page>
  );
}

function Form({ stored }: { stored: RetentionRules }) {
  const { kinds } = stored;
  const { screens, retention: words } = useWords();
  const { number } = useFormats();
  const queries = useQueryClient();
  const canChange = useCan()('settings:manage');
  const [typed, setTyped] = useState<Typed>({});
  const [isAsking, setAsking] = useState(false);
  const { data: preview } = useQuery({
    queryKey: ['settings', 'retention', 'preview'],
    queryFn: ({ signal }) => giftwire.settings.previewRetention({ signal }),
  });
  const ifMatch = useBegunVersion(stored, Object.keys(typed).length > 0);
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: () =>
      giftwire.settings.updateRetention({ changes: changed.map(({ kind }) => termOf(kind)) }, { ifMatch }),
    onError: () => queries.invalidateQueries({ queryKey: ['settings', 'retention'] }),
    onSuccess: async (saved) => {
      queries.setQueryData(['settings', 'retention'], saved);
      await queries.invalidateQueries({ queryKey: ['settings', 'retention', 'preview'] });
      setTyped({});
      tell(words.saved);
    },
  });
  const daysOf = ({ kind, days }: RetentionRule) => {
    const one = typed[kind];
    return one === undefined ? days : one;
  };
  const changed = kinds.filter((one) => daysOf(one) !== one.days);
  const termOf = (kind: RetentionRule['kind']) => {
    const { usualDays } = kinds.find((one) => one.kind === kind) as RetentionRule;
    const days = typed[kind] ?? null;
    return days === usualDays ? { kind } : { kind, days };
  };
  const removesMore = changed.some(
    (one) => (daysOf(one) ?? Number.POSITIVE_INFINITY) < (one.days ?? Number.POSITIVE_INFINITY),
  );
  const columns: Column<RetentionRule>[] = [
    {
      key: 'record',
      head: words.record,
      cell: ({ kind }) => (
        <div className={styles.record}>
          <b>{words.kinds[kind].name}</b>
          <div className="quiet small">{words.kinds[kind].why}</div>
        </div>
      ),
    },
    {
      key: 'keep',
      head: words.keep,
      cell: (rule) => (
        <Days
          rule={rule}
          days={daysOf(rule)}
          isFixed={!canChange}
          onChange={(days) => setTyped({ ...typed, [rule.kind]: days })}
        />
      ),
    },
    {
      key: 'next',
      head: words.next,
      isNumber: true,
      cell: ({ kind }) => {
        const rows = preview?.due.find((one) => one.kind === kind)?.rows;
        return rows === undefined ? '–' : number(rows);
      },
    },
  ];
  return (
    <>
      <Table label={screens.retention} columns={columns} rows={kinds} rowKey={({ kind }) => kind} />
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.sure}
        act={words.sureAction}
        onAct={mutateAsync}
      >
        {words.sureText}
      </Confirm>
      <SaveBar
        form={{
          otherFault: error,
          isDirty: changed.length > 0,
          isSaving: isPending,
          save: () => (removesMore ? setAsking(true) : void mutateAsync().catch(() => undefined)),
          discard: () => {
            setTyped({});
            reset();
          },
        }}
      />
    </>
  );
}
