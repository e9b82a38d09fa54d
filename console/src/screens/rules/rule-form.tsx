import type { Rule } from '@giftwire/sdk';
import { Button, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useHere } from '../../data/me.tsx';
import { useOpened, versionOf } from '../../data/version.ts';
import { currencyChoices, usualCurrency } from '../../gift/terms.ts';
import { AmountInput } from '../../parts/amount-input.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Section } from '../../parts/page.tsx';
import { Sentence } from '../../parts/sentence.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { ApproversField } from './approvers-field.tsx';
import { blankDraft, type Draft, draftOf, missingIn, ruleOf } from './draft.ts';
import { useRuleNames } from './names.ts';
import styles from './rules.module.css';
import { fromOf } from './source.ts';
import { SourceField } from './source-field.tsx';

/** What the service measures. */
const measures: readonly Rule['measure'][] = ['GIFT', 'ORDER', 'SENDER_MONTH', 'RECIPIENT_YEAR'];

interface RuleFormProps {
  /** Null: a new one. */
  rule: Rule | null;
  onClose: () => void;
}

/** A rule to fill in, as it is when the form opens. */
export function RuleForm({ rule, onClose }: RuleFormProps) {
  return rule ? <OpenedForm id={rule.id} onClose={onClose} /> : <Form rule={null} onClose={onClose} />;
}

function OpenedForm({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, refetch } = useOpened(['rules', id], (options) => giftwire.rules.retrieve(id, options));
  if (data) return <Form rule={data} onClose={onClose} />;
  return error ? <Fault error={error} retry={() => void refetch()} /> : <Waiting />;
}

/** The sentence of the list, with fields in place of its bold words. */
function Form({ rule, onClose }: RuleFormProps) {
  const { rules: words, parts } = useWords();
  const { workspace } = useHere();
  const queries = useQueryClient();
  const place = useRef<HTMLFormElement>(null);
  const currency = workspace.currency ?? usualCurrency(workspace.id, workspace.language);
  const [draft, setDraft] = useState<Draft>(() => (rule ? draftOf(rule) : blankDraft(currency)));
  const [ifMatch] = useState(() => versionOf(rule));
  const [isTried, setTried] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const name = useName(draft);
  const missing = isTried ? missingIn(draft, name) : {};
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const stale = () => queries.invalidateQueries({ queryKey: ['rules'] });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const whole = ruleOf(draft, name);
      return rule ? giftwire.rules.update(rule.id, whole as Rule, { ifMatch }) : giftwire.rules.create(whole);
    },
    onError: stale,
    onSuccess: async () => {
      await stale();
      tell(words.saved);
      onClose();
    },
  });
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
    place.current?.querySelector('input')?.focus();
  }, []);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(missingIn(draft, name)).length === 0) mutate();
  };
  const fault = (field: keyof typeof missing) => (missing[field] ? words.missing[field] : null);
  return (
    <Section title={rule ? words.editTitle(rule.position) : words.newTitle}>
      <form ref={place} className={`box ${styles.form}`} onSubmit={save}>
        <div className={styles.words}>
          <RuleFields draft={draft} change={change} fault={fault} />
        </div>
        {draft.outcome === 'REJECT' && (
          <Textarea
            label={words.fields.message}
            description={words.fields.messageHint}
            error={fault('message')}
            maxLength={500}
            autosize
            minRows={2}
            value={draft.message}
            onChange={({ target }) => change({ message: target.value })}
          />
        )}
        <p className="quiet small">
          {[draft.outcome === 'ASK' && words.who, words.zero, draft.source.kind === 'ANY' && words.any]
            .filter(Boolean)
            .join(' ')}
        </p>
        <TextInput
          maw={480}
          label={words.fields.name}
          description={words.fields.nameHint}
          error={fault('name')}
          maxLength={100}
          value={name}
          onChange={({ target }) => change({ name: target.value })}
        />
        <Fault error={error} />
        <div className={styles.buttons}>
          <Button type="submit" variant="filled" loading={isPending}>
            {words.save}
          </Button>
          <Button onClick={onClose}>{parts.cancel}</Button>
          {rule && (
            <Button variant="subtle" color="red" className={styles.delete} onClick={() => setDeleting(true)}>
              {words.delete}
            </Button>
          )}
        </div>
      </form>
      {rule && (
        <Confirm
          isOpen={isDeleting}
          onClose={() => setDeleting(false)}
          title={words.deleteTitle(rule.name)}
          act={words.delete}
          onAct={async () => {
            await giftwire.rules.delete(rule.id);
            await stale();
            tell(words.deleted);
            onClose();
          }}
        >
          {words.deleteText}
        </Confirm>
      )}
    </Section>
  );
}

interface RuleFieldsProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  fault: (field: 'from' | 'above' | 'first' | 'second' | 'days') => string | null;
}

function RuleFields({ draft, change, fault }: RuleFieldsProps) {
  const { rules: words } = useWords();
  const { source, measure, above, currency, outcome, first, second, days } = draft;
  const outcomeField = (
    <Select
      className={styles.usual}
      aria-label={words.fields.outcome}
      data={Object.entries(words.outcomes).map(([value, label]) => ({ value, label }))}
      allowDeselect={false}
      value={outcome}
      onChange={(value) => value && change({ outcome: value as Draft['outcome'] })}
    />
  );
  const amountOf = {
    from: <SourceField source={source} error={fault('from')} onChange={(changed) => change({ source: changed })} />,
    measure: (
      <Select
        className={styles.wide}
        aria-label={words.fields.measure}
        data={measures.map((value) => ({ value, label: words.measures[value] }))}
        allowDeselect={false}
        value={measure}
        onChange={(value) => value && change({ measure: value as Draft['measure'] })}
      />
    ),
    above: (
      <AmountInput
        className={styles.short}
        aria-label={words.fields.above}
        currency={currency}
        value={above}
        error={fault('above')}
        onChange={(value) => change({ above: value })}
      />
    ),
    currency: (
      <Select
        className={styles.short}
        aria-label={words.fields.currency}
        data={currencyChoices(currency)}
        searchable
        allowDeselect={false}
        value={currency}
        onChange={(value) => value && change({ currency: value })}
      />
    ),
    outcome: outcomeField,
  };
  if (outcome === 'REJECT') return <Sentence text={words.whenAbove} parts={amountOf} />;
  const asked = {
    first: (
      <>
        {outcomeField}{' '}
        <ApproversField
          label={words.fields.first}
          value={first}
          error={fault('first')}
          onChange={(value) => change({ first: value })}
        />
        {second === null && (
          <>
            {' '}
            <Button className={styles.level} variant="subtle" onClick={() => change({ second: [] })}>
              {words.secondAdd}
            </Button>
          </>
        )}
      </>
    ),
    second: (
      <>
        <ApproversField
          label={words.fields.second}
          value={second ?? []}
          error={fault('second')}
          onChange={(value) => change({ second: value })}
        />{' '}
        <Button className={styles.level} variant="subtle" onClick={() => change({ second: null })}>
          {words.secondRemove}
        </Button>
      </>
    ),
    days: (
      <>
        <NumberInput
          className={styles.days}
          aria-label={words.fields.days}
          min={1}
          max={90}
          allowDecimal={false}
          hideControls
          value={days ?? ''}
          error={fault('days')}
          onChange={(value) => change({ days: value === '' ? null : Number(value) })}
        />{' '}
        {words.daysUnit}
      </>
    ),
  };
  const asking = (second === null ? words.ask : words.askTwo).replace(/^[^{]*/, '');
  return <Sentence text={words.whenAbove} parts={{ ...amountOf, outcome: <Sentence text={asking} parts={asked} /> }} />;
}

/** The name that was typed, or one that says what the rule is about. */
function useName(draft: Draft): string {
  const { rules: words } = useWords();
  const { money } = useFormats();
  const names = useRuleNames([]);
  const { name, source, above, currency } = draft;
  if (name !== null) return name;
  if (above === null || (source.kind !== 'ANY' && source.value === '')) return '';
  const isNamed =
    source.kind === 'TEAM' || source.kind === 'TOKEN' || source.kind === 'AUTOMATION' || source.kind === 'ANY';
  const from = isNamed ? words.capital(words.from[source.kind]) : names.source(fromOf(source));
  return words.suggested(from, money(above, currency));
}
