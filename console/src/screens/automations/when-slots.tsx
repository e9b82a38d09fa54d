import { NumberInput, Select } from '@mantine/core';
import { DateField } from '../../parts/date-field.tsx';
import { MonthDayField } from '../../parts/month-day-field.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { Slot, TypedField } from './slot.tsx';
import type { AutomationTerms, SlotsProps } from './terms.ts';

type Trigger = AutomationTerms['trigger'];

/** On what: the occasion, and its day or its number of days. */
export function TriggerSlot({ terms: { trigger, action }, isFixed, change }: SlotsProps) {
  const { automations: words } = useWords();
  const text = useTriggerText()(trigger);
  const set = (next: Trigger) => {
    const { byYears, further, ...rest } = action;
    // Amounts by years belong to anniversaries alone.
    const amount = rest.is === 'GIFT' && rest.amount === undefined ? { amount: byYears?.[0]?.amount ?? 25 } : {};
    change({ trigger: next, ...(next.is !== 'ANNIVERSARY' && byYears && { action: { ...rest, ...amount } }) });
  };
  return (
    <Slot label={words.fields.trigger} text={text} isFixed={isFixed}>
      {(close) => (
        <>
          <Select
            label={words.fields.trigger}
            data={Object.entries(words.triggerKinds).map(([value, label]) => ({ value, label }))}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            value={trigger.is}
            onChange={(is) => {
              if (!is) return;
              set(freshTrigger(is as Trigger['is']));
              if (is === 'BIRTHDAY' || is === 'ANNIVERSARY') close();
            }}
          />
          {(trigger.is === 'AFTER_HIRE' || trigger.is === 'UNRECOGNIZED') && (
            <DaysInput
              label={words.fields.days}
              value={trigger.days ?? 0}
              least={trigger.is === 'UNRECOGNIZED' ? 1 : 0}
              most={3_650}
              onChange={(days) => set({ ...trigger, days })}
            />
          )}
          {trigger.is === 'YEARLY' && (
            <MonthDayField
              label={words.fields.monthDay}
              value={trigger.monthDay ?? ''}
              onMonthDay={(monthDay) => /^\d\d-\d\d$/.test(monthDay) && set({ ...trigger, monthDay })}
            />
          )}
          {trigger.is === 'ONCE' && (
            <DateField
              label={words.fields.day}
              value={trigger.day ?? ''}
              onDay={(day) => day && set({ ...trigger, day })}
            />
          )}
        </>
      )}
    </Slot>
  );
}

function freshTrigger(is: Trigger['is']): Trigger {
  if (is === 'AFTER_HIRE') return { is, days: 90 };
  if (is === 'UNRECOGNIZED') return { is, days: 60 };
  if (is === 'YEARLY') return { is, monthDay: '12-18' };
  if (is === 'ONCE') return { is, day: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10) };
  return { is };
}

/** The occasion as it stands in a sentence. */
function useTriggerText(): (trigger: Trigger) => string {
  const { automations: words } = useWords();
  const { monthDay, date } = useFormats();
  const { triggers } = words;
  return (trigger) => {
    const { is, days = 0 } = trigger;
    if (is === 'AFTER_HIRE') return days === 0 ? triggers.firstDay : triggers.AFTER_HIRE(days);
    if (is === 'UNRECOGNIZED') return triggers.UNRECOGNIZED(days);
    if (is === 'YEARLY') return triggers.YEARLY(trigger.monthDay ? monthDay(trigger.monthDay) : '…');
    if (is === 'ONCE') return triggers.ONCE(trigger.day ? date(trigger.day) : '…');
    return triggers[is];
  };
}

export function HourSlot({ terms: { hour }, isFixed, change }: SlotsProps) {
  const { automations: words } = useWords();
  const textOf = (one: number) => `${String(one).padStart(2, '0')}:00`;
  return (
    <Slot label={words.fields.hour} text={textOf(hour)} isFixed={isFixed}>
      {(close) => (
        <Select
          label={words.fields.hour}
          data={Array.from({ length: 24 }, (_, one) => ({ value: String(one), label: textOf(one) }))}
          allowDeselect={false}
          comboboxProps={{ withinPortal: false }}
          value={String(hour)}
          onChange={(chosen) => {
            if (chosen !== null) change({ hour: Number(chosen) });
            close();
          }}
        />
      )}
    </Slot>
  );
}

interface DaysSlotProps {
  label: string;
  text: string;
  hint?: string;
  value: number;
  most: number;
  isFixed: boolean;
  onChange: (days: number) => void;
}

/** A number of days. */
export function DaysSlot({ label, text, hint, value, most, isFixed, onChange }: DaysSlotProps) {
  return (
    <Slot label={label} text={text} isFixed={isFixed}>
      {(close) => (
        <TypedField onDone={close}>
          <DaysInput label={label} hint={hint} value={value} least={0} most={most} onChange={onChange} />
        </TypedField>
      )}
    </Slot>
  );
}

interface DaysInputProps {
  label: string;
  hint?: string | undefined;
  value: number;
  least: number;
  most: number;
  onChange: (days: number) => void;
}

function DaysInput({ label, hint, value, least, most, onChange }: DaysInputProps) {
  return (
    <NumberInput
      label={label}
      description={hint}
      min={least}
      max={most}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      value={value}
      onChange={(typed) => typed !== '' && onChange(Number(typed))}
    />
  );
}
