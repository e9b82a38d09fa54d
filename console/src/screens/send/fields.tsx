import type { Reason } from '@giftwire/sdk';
import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { useHere } from '../../data/me.tsx';
import { currencyChoices, languageChoices } from '../../gift/terms.ts';
import { WhenField } from '../../gift/when-field.tsx';
import { AmountInput } from '../../parts/amount-input.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { type Draft, longestMessage, longestNote, type Recipient } from './draft.ts';
import styles from './send.module.css';

interface FieldsProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}

const presets = [25, 50, 75, 100];

export function AmountField({ draft: { amount, currency }, change, error }: FieldsProps & { error: string | null }) {
  const { send } = useWords();
  const { money } = useFormats();
  return (
    <div>
      <div className={styles.amount}>
        <AmountInput
          label={send.amount}
          value={amount}
          currency={currency}
          onChange={(value) => change({ amount: value })}
          error={error}
        />
        <Select
          label={send.currency}
          value={currency}
          onChange={(value) => value && change({ currency: value })}
          data={currencyChoices(currency)}
          searchable
          allowDeselect={false}
          comboboxProps={{ width: 200, position: 'bottom-end' }}
        />
      </div>
      <div className={styles.presets}>
        {presets.map((one) => (
          <Button
            key={one}
            size="compact-sm"
            className={styles.preset}
            aria-pressed={one === amount}
            onClick={() => change({ amount: one })}
          >
            {money(one, currency, { whole: true })}
          </Button>
        ))}
      </div>
    </div>
  );
}

export function MessageField({ draft: { message }, change, error }: FieldsProps & { error: string | null }) {
  const { send } = useWords();
  const { number } = useFormats();
  const length = [...message.trim()].length;
  return (
    <div className={styles.message}>
      <Textarea
        label={send.message}
        description={send.messageHint}
        placeholder={send.messagePlaceholder}
        autosize
        minRows={5}
        maxRows={14}
        value={message}
        onChange={({ currentTarget }) => change({ message: currentTarget.value })}
        error={error}
      />
      <span className={`${styles.count} quiet small figure`} data-over={length > longestMessage || undefined}>
        {send.count(number(length), number(longestMessage))}
      </span>
    </div>
  );
}

export function TermFields({
  draft,
  change,
  reasons,
  dateFault,
}: FieldsProps & { reasons: readonly Reason[]; dateFault: string | null }) {
  const { send } = useWords();
  const { locale } = useFormats();
  const { workspace } = useHere();
  const { reasonId, language, deliverAt } = draft;
  const chosen = reasonId ?? reasons.find(({ isDefault }) => isDefault)?.id;
  return (
    <div className={styles.pair}>
      <Select
        label={send.reason}
        value={chosen === undefined ? null : String(chosen)}
        onChange={(value) => change({ reasonId: value === null ? null : Number(value) })}
        data={reasons.map(({ id, description }) => ({ value: String(id), label: description }))}
        allowDeselect={false}
      />
      <Select
        label={send.language}
        value={language}
        onChange={(value) => value && change({ language: value })}
        data={languageChoices(workspace.language, locale)}
        allowDeselect={false}
      />
      <WhenField deliverAt={deliverAt} onChange={(moment) => change({ deliverAt: moment })} fault={dateFault} />
    </div>
  );
}

/** What the gift is for: for colleagues, not for recipients. */
export function NoteField({ draft: { note }, change }: FieldsProps) {
  const { send } = useWords();
  return (
    <TextInput
      label={send.note}
      description={send.noteHint}
      value={note}
      maxLength={longestNote}
      onChange={({ currentTarget }) => change({ note: currentTarget.value })}
    />
  );
}

/** The names of people whom the directory does not know yet. */
export function Newcomers({ draft: { recipients }, change }: FieldsProps) {
  const { send } = useWords();
  const rename = (who: Recipient, names: Partial<Recipient>) =>
    change({ recipients: recipients.map((one) => (one === who ? { ...one, ...names } : one)) });
  return recipients
    .filter(({ id }) => id === null)
    .map((who) => (
      <fieldset key={who.email} className={styles.newcomer}>
        <legend className="said">{who.email}</legend>
        <TextInput
          label={send.firstName}
          description={who.email}
          value={who.firstName}
          maxLength={100}
          onChange={({ currentTarget }) => rename(who, { firstName: currentTarget.value })}
        />
        <TextInput
          label={send.lastName}
          description={send.optional}
          value={who.lastName}
          maxLength={100}
          onChange={({ currentTarget }) => rename(who, { lastName: currentTarget.value })}
        />
      </fieldset>
    ));
}
