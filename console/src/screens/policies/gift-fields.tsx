import { NumberInput, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SettingsForm } from '../../data/settings.ts';
import { AmountInput } from '../../parts/amount-input.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './policies.module.css';

export function GiftFields({ form }: { form: SettingsForm }) {
  const { policies } = useWords().settings;
  const { settings, set, faultOf } = form;
  if (!settings) return null;
  return (
    <div className={styles.pairs}>
      <Switch
        className={styles.whole}
        label={policies.mailsGifts}
        description={policies.mailsGiftsHint}
        checked={settings.mailsGifts}
        onChange={({ target }) => set('mailsGifts', target.checked)}
      />
      <NumberInput
        label={policies.giftDays}
        description={policies.giftDaysHint}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={settings.giftDays ?? ''}
        error={faultOf('giftDays')}
        onChange={(value) => set('giftDays', asNumber(value))}
      />
      <Reminders form={form} />
      <NumberInput
        label={policies.beforeExpiry}
        description={policies.beforeExpiryHint}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={settings.reminderDaysBeforeExpiry ?? ''}
        error={faultOf('reminderDaysBeforeExpiry')}
        onChange={(value) => set('reminderDaysBeforeExpiry', asNumber(value))}
      />
      <AmountInput
        label={policies.codeAbove}
        description={policies.codeAboveHint}
        value={settings.codeAbove}
        currency={null}
        error={faultOf('codeAbove')}
        onChange={(value) => set('codeAbove', value)}
      />
      <RecipientCaps form={form} />
    </div>
  );
}

/** Numbers with commas. The text stays as it is typed; what is no number is sent along, so that the service names the fault. */
function Reminders({ form: { settings, set, faultOf, isDirty } }: { form: SettingsForm }) {
  const { policies } = useWords().settings;
  const [typed, setTyped] = useState<string | null>(null);
  const stored = (settings?.reminderDays ?? []).join(', ');
  return (
    <TextInput
      label={policies.reminders}
      description={policies.remindersHint}
      inputMode="numeric"
      value={isDirty && typed !== null ? typed : stored}
      error={faultOf('reminderDays')}
      onChange={({ target }) => {
        setTyped(target.value);
        const days = target.value.split(/[\s,;]+/).filter((part) => part !== '');
        set(
          'reminderDays',
          days.map(Number).map((day) => (Number.isInteger(day) ? day : 0)),
        );
      }}
    />
  );
}

/** Amounts with their currencies, for example 500 CAD, 400 USD. Other text is sent too, so that the service says what is wrong. */
function RecipientCaps({ form: { settings, set, faultOf, isDirty } }: { form: SettingsForm }) {
  const { policies } = useWords().settings;
  const [typed, setTyped] = useState<string | null>(null);
  const stored = (settings?.recipientCaps ?? []).map(({ currency, amount }) => `${amount} ${currency}`).join(', ');
  return (
    <TextInput
      label={policies.recipientCaps}
      description={policies.recipientCapsHint}
      value={isDirty && typed !== null ? typed : stored}
      error={faultOf('recipientCaps')}
      onChange={({ target }) => {
        setTyped(target.value);
        const parts = target.value.split(/[,;]/).map((part) => part.trim());
        set('recipientCaps', parts.filter((part) => part !== '').map(capOf));
      }}
    />
  );
}

function capOf(text: string): { currency: string; amount: number } {
  const [, amount = '0', currency = ''] = /^([\d.]+)\s*([A-Za-z]{3})$/.exec(text) ?? [];
  return { currency: currency.toUpperCase(), amount: Number(amount) || 0 };
}

function asNumber(value: number | string): number | null {
  return typeof value === 'number' ? value : null;
}
