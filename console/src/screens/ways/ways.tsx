import type { Way } from '@giftwire/sdk';
import { ActionIcon, Button, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { Pill } from '../../parts/state-pill.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { WayForm } from './way-form.tsx';
import styles from './ways.module.css';

/** What recipients can spend their gifts on, in the order in which they see it. */
export default function Ways() {
  const { screens, spending: words } = useWords();
  const canManage = useCan()('settings:manage');
  const queries = useQueryClient();
  const [edited, setEdited] = useState<Way | 'new' | null>(null);
  const ways = useQuery({ queryKey: ['ways'], queryFn: ({ signal }) => giftwire.ways.list({ signal }) });
  const { data, error } = ways;
  const setting = useMutation({
    mutationFn: async (changed: readonly Way[]) => {
      for (const { id, ...way } of changed) await giftwire.ways.set(id, way);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['ways'] }),
  });
  const add = canManage && (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setEdited('new')}>
      {words.add}
    </Button>
  );
  return (
    <Page title={screens.ways} text={words.text} actions={data && add}>
      <Fault error={error} retry={() => void ways.refetch()} />
      {!data && !error && <Waiting />}
      {data?.every(({ isOn }) => !isOn) && (
        <p className={styles.nothing} role="status">
          <Icon name="warn" size={16} /> {words.nothingOn}
        </p>
      )}
      {data && (
        <ul className={`box ${styles.ways}`} aria-label={screens.ways}>
          {data.map((way, at) => (
            <WayRow
              key={way.id}
              way={way}
              canManage={canManage}
              isBusy={setting.isPending}
              onToggle={() => setting.mutate([{ ...way, isOn: !way.isOn }])}
              onEdit={() => setEdited(way)}
              onRaise={at === 0 ? null : () => setting.mutate(raised(data, at))}
            />
          ))}
        </ul>
      )}
      <Fault error={setting.error} />
      {canManage && <WayForm way={edited} ways={data ?? []} onClose={() => setEdited(null)} />}
    </Page>
  );
}

/** The ways whose position changes when the one at `at` goes up by one. */
function raised(ways: readonly Way[], at: number): Way[] {
  const order = ways.toSpliced(at, 1).toSpliced(at - 1, 0, ways[at] as Way);
  return order
    .map((way, position) => ({ ...way, position }))
    .filter((way, nth) => order[nth]?.position !== way.position);
}

interface WayRowProps {
  way: Way;
  canManage: boolean;
  isBusy: boolean;
  onToggle: () => void;
  onEdit: () => void;
  onRaise: (() => void) | null;
}

function WayRow({ way, canManage, isBusy, onToggle, onEdit, onRaise }: WayRowProps) {
  const { spending: words } = useWords();
  const { name, kind, description, isOn } = way;
  const terms = useTermsText()(way);
  return (
    <li data-off={!isOn || undefined}>
      <div>
        <b>{name}</b> <span className="quiet">{words.kinds[kind]}</span>
        {description && <div className="second">{description}</div>}
        <div className="quiet small">{terms}</div>
      </div>
      {canManage ? (
        <span className={styles.act}>
          {onRaise && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={words.raise(name)}
              disabled={isBusy}
              onClick={onRaise}
              className={styles.up}
            >
              <Icon name="down" />
            </ActionIcon>
          )}
          <Switch
            aria-label={words.offered(name)}
            label={isOn ? words.on : words.off}
            checked={isOn}
            disabled={isBusy}
            onChange={onToggle}
          />
          <Button size="compact-md" onClick={onEdit} aria-label={words.editOf(name)}>
            {words.edit}
          </Button>
        </span>
      ) : (
        <Pill tone={isOn ? 'green' : 'neutral'} icon={isOn ? 'ok' : 'no'}>
          {isOn ? words.on : words.off}
        </Pill>
      )}
    </li>
  );
}

/** Currencies, amounts and whether parts can be spent, in one line. */
function useTermsText(): (way: Way) => string {
  const { spending: words } = useWords();
  const { number, list } = useFormats();
  return ({ currencies, minAmount, maxAmount, allowsParts, taxType }) =>
    [
      currencies === null ? words.allCurrencies : list(currencies),
      minAmount !== null && words.atLeast(number(minAmount)),
      maxAmount !== null && words.atMost(number(maxAmount)),
      allowsParts ? words.inParts : words.asWhole,
      words.taxTypes[taxType],
    ]
      .filter(Boolean)
      .join(' · ');
}
