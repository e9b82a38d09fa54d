import type { Rule } from '@giftwire/sdk';
import { ActionIcon, Button, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { Pill } from '../../parts/state-pill.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';
import { useRuleNames } from './names.ts';
import { RuleForm } from './rule-form.tsx';
import { RuleSentence } from './rule-sentence.tsx';
import styles from './rules.module.css';

/** The rules of the workspace, each as a sentence, in the order in which they are tried. */
export default function Rules() {
  const { screens, rules: words } = useWords();
  const canManage = useCan()('rules:manage');
  const [edited, setEdited] = useState<Rule | 'new' | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['rules'],
    queryFn: ({ signal }) => giftwire.rules.list({ signal }),
  });
  const add = canManage && (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setEdited('new')}>
      {words.add}
    </Button>
  );
  const isEmpty = data?.length === 0 && edited === null;
  return (
    <Page title={screens.rules} text={words.text} actions={!isEmpty && edited === null && add}>
      <Fault error={error} retry={() => void refetch()} />
      {!data && !error && <Waiting lines={6} />}
      {isEmpty && (
        <Empty title={words.emptyTitle} action={add}>
          {words.emptyText}
        </Empty>
      )}
      {data && data.length > 0 && <RuleList rules={data} canManage={canManage} edited={edited} onEdit={setEdited} />}
      {canManage && data && edited !== null && (
        <RuleForm
          key={edited === 'new' ? 'new' : edited.id}
          rule={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </Page>
  );
}

interface RuleListProps {
  rules: readonly Rule[];
  canManage: boolean;
  edited: Rule | 'new' | null;
  onEdit: (rule: Rule) => void;
}

function RuleList({ rules, canManage, edited, onEdit }: RuleListProps) {
  const { rules: words } = useWords();
  const queries = useQueryClient();
  const names = useRuleNames(rules);
  const list = useRef<HTMLOListElement>(null);
  const [moved, setMoved] = useState<{ id: number; way: 'up' | 'down' } | null>(null);
  const change = useMutation({
    mutationFn: ({ id, ...changes }: { id: number; isOn?: boolean; position?: number }) =>
      giftwire.rules.update(id, changes),
    onSettled: () => queries.invalidateQueries({ queryKey: ['rules'] }),
  });
  const move = (rule: Rule, nth: number, way: 'up' | 'down') => {
    if (change.isPending) return;
    const position = nth + (way === 'up' ? 0 : 2);
    setMoved({ id: rule.id, way });
    change.mutate({ id: rule.id, position }, { onSuccess: () => tell(words.moved(rule.name, position)) });
  };
  // The browser drops the focus of what moves in the page: it goes back to the button that was pressed, or to its neighbour.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the rules stand in another order
  useEffect(() => {
    if (!moved || change.isPending) return;
    const row = list.current?.querySelector(`[data-rule="${moved.id}"]`);
    const buttons = [...(row?.querySelectorAll<HTMLButtonElement>('[data-way]') ?? [])].filter((one) => !one.disabled);
    (buttons.find(({ dataset }) => dataset.way === moved.way) ?? buttons[0])?.focus();
  }, [rules]);
  return (
    <>
      <ol ref={list} className={`box ${styles.rules}`} aria-label={words.list}>
        {rules.map((rule, nth) => (
          <li
            key={rule.id}
            data-rule={rule.id}
            data-off={!rule.isOn || undefined}
            data-edited={(typeof edited === 'object' && edited?.id === rule.id) || undefined}
          >
            <span className={styles.nth}>{nth + 1}</span>
            <div>
              <b>{rule.name}</b>
              <p className={styles.sentence}>
                <RuleSentence rule={rule} names={names} />
              </p>
            </div>
            {canManage ? (
              <div className={styles.act}>
                {(['up', 'down'] as const).map((way) => (
                  <ActionIcon
                    key={way}
                    data-way={way}
                    variant="subtle"
                    color="gray"
                    size={36}
                    aria-label={words[way](rule.name)}
                    disabled={way === 'up' ? nth === 0 : nth === rules.length - 1}
                    onClick={() => move(rule, nth, way)}
                  >
                    <Icon name={way} />
                  </ActionIcon>
                ))}
                <Switch
                  aria-label={words.isOn(rule.name)}
                  label={rule.isOn ? words.on : words.off}
                  checked={rule.isOn}
                  onChange={() => change.mutate({ id: rule.id, isOn: !rule.isOn })}
                />
                <Button size="compact-md" aria-label={words.editOf(rule.name)} onClick={() => onEdit(rule)}>
                  {words.edit}
                </Button>
              </div>
            ) : (
              <Pill tone={rule.isOn ? 'green' : 'neutral'} icon={rule.isOn ? 'ok' : 'no'}>
                {rule.isOn ? words.on : words.off}
              </Pill>
            )}
          </li>
        ))}
      </ol>
      <Fault error={change.error} />
    </>
  );
}
