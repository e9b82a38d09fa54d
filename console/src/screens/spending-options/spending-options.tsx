import type { SpendingKind, SpendingOption } from '@giftwire/sdk';
import { ActionIcon, Button, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { versionOf } from '../../data/version.ts';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Pill } from '../../parts/state-pill.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { SpendingOptionForm } from './spending-option-form.tsx';
import styles from './spending-options.module.css';

/** What recipients can spend their gifts on, in the order in which they see it. */
export default function SpendingOptions() {
  const { screens, spending: words } = useWords();
  const canManage = useCan()('settings:manage');
  const queries = useQueryClient();
  const [edited, setEdited] = useState<SpendingOption | 'new' | null>(null);
  const [newKind, setNewKind] = useState<SpendingKind['kind'] | null>(null);
  const query = useQuery({
    queryKey: ['spendingOptions'],
    queryFn: ({ signal }) => giftwire.spendingOptions.list({ signal }),
    structuralSharing: false,
  });
  const { data, error } = query;
  const shown = data?.spendingOptions;
  const setting = useMutation({
    mutationFn: async (changed: readonly SpendingOption[]) => {
      // Of the list, which a change of one option answers with too.
      let ifMatch = versionOf(data);
      for (const { id, ...option } of changed)
        ifMatch = versionOf(await giftwire.spendingOptions.update(id, option, { ifMatch }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['spendingOptions'] }),
  });
  const add = canManage && (
    <Button
      variant="filled"
      leftSection={<Icon name="plus" />}
      onClick={() => {
        setNewKind(null);
        setEdited('new');
      }}
    >
      {words.add}
    </Button>
  );
  return (
    <Page title={screens.spendingOptions} text={words.text} actions={data && add}>
      <Fault error={error} retry={() => void query.refetch()} />
      {!data && !error && <Waiting />}
      {shown?.every(({ isOn }) => !isOn) && (
        <p className={styles.nothing} role="status">
          <Icon name="warn" size={16} /> {words.nothingOn}
        </p>
      )}
      {shown && (
        <ul className={`box ${styles.options}`} aria-label={screens.spendingOptions}>
          {shown.map((option, at) => (
            <SpendingOptionRow
              key={option.id}
              option={option}
              canManage={canManage}
              isBusy={setting.isPending}
              onToggle={() => setting.mutate([{ ...option, isOn: !option.isOn }])}
              onEdit={() => setEdited(option)}
              onRaise={at === 0 ? null : () => setting.mutate(raised(shown, at))}
            />
          ))}
        </ul>
      )}
      <Fault error={setting.error} />
      {canManage && data && (
        <MoreKinds
          kinds={data.kinds.filter(
            ({ kind, canAdd }) => canAdd && !data.spendingOptions.some((one) => one.kind === kind),
          )}
          onAdd={(kind) => {
            setNewKind(kind);
            setEdited('new');
          }}
        />
      )}
      {canManage && data && (
        <SpendingOptionForm
          option={edited}
          spendingOptions={data.spendingOptions}
          kinds={data.kinds}
          newKind={newKind}
          version={versionOf(data)}
          onClose={() => setEdited(null)}
        />
      )}
    </Page>
  );
}

/** Kinds that the workspace does not offer yet, each with what it is. */
function MoreKinds({ kinds, onAdd }: { kinds: readonly SpendingKind[]; onAdd: (kind: SpendingKind['kind']) => void }) {
  const { spending: words } = useWords();
  if (kinds.length === 0) return null;
  return (
    <Section title={words.moreKinds}>
      <ul className={styles.kinds}>
        {kinds.map(({ kind }) => (
          <li key={kind} className="box">
            <b>{words.kinds[kind]}</b>
            <p className="quiet">{words.kindTexts[kind]}</p>
            <Button size="compact-md" onClick={() => onAdd(kind)} aria-label={words.addOf(words.kinds[kind])}>
              {words.addShort}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The spending options whose position changes when the one at `at` goes up by one. */
function raised(spendingOptions: readonly SpendingOption[], at: number): SpendingOption[] {
  const order = spendingOptions.toSpliced(at, 1).toSpliced(at - 1, 0, spendingOptions[at] as SpendingOption);
  return order
    .map((option, position) => ({ ...option, position }))
    .filter((option, nth) => order[nth]?.position !== option.position);
}

interface SpendingOptionRowProps {
  option: SpendingOption;
  canManage: boolean;
  isBusy: boolean;
  onToggle: () => void;
  onEdit: () => void;
  onRaise: (() => void) | null;
}

function SpendingOptionRow({ option, canManage, isBusy, onToggle, onEdit, onRaise }: SpendingOptionRowProps) {
  const { spending: words } = useWords();
  const { name, description, isOn } = option;
  const terms = useTerms()(option);
  return (
    <li data-off={!isOn || undefined}>
      <div className={styles.name}>
        <b>{name}</b>
        {description && <div className="quiet">{description}</div>}
      </div>
      <dl className={styles.terms}>
        {terms.map(([term, value]) => (
          <div key={term}>
            <dt className="quiet small">{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
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

/** What holds for an option, each term with its name. */
function useTerms(): (option: SpendingOption) => [term: string, value: string][] {
  const { spending: words } = useWords();
  const { number, list } = useFormats();
  return ({ kind, currencies, minAmount, maxAmount, allowsParts, taxType }) => {
    const limits = [
      minAmount !== null && words.atLeast(number(minAmount)),
      maxAmount !== null && words.atMost(number(maxAmount)),
      allowsParts ? words.inParts : words.asWhole,
    ];
    return [
      [words.kind, words.kinds[kind]],
      [words.currencies, currencies === null ? words.allCurrencies : list(currencies)],
      [words.amounts, limits.filter(Boolean).join(', ')],
      [words.taxType, words.taxTypes[taxType]],
    ];
  };
}
