import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { readTypedDay } from '../words/typed-day.ts';
import { useFormats, useWords } from '../words/words.tsx';
import { Calendar } from './calendar.tsx';
import { Icon } from './icon.tsx';

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max' | 'type'> {
  /** As 2026-11-18; empty: no day. */
  value: string;
  min?: string;
  max?: string;
  /** The day as 2026-11-18, or empty; null while what was typed is no day that fits. */
  onDay: (day: string | null, typed: string) => void;
}

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value);

/** A day, in the language of the console. Browsers write and read their own date fields in the language of the browser. */
export function DateField({ value, min, max, onDay, error, ...input }: DateFieldProps) {
  const { parts } = useWords();
  const { day, locale } = useFormats();
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const read = (text: string) => (text.trim() === '' ? '' : readTypedDay(text, locale));
  const faultOf = (text: string): string | null => {
    const found = read(text);
    if (found === '') return null;
    if (found === null) return parts.noDay(day(new Date()));
    if (min && found < min) return parts.dayFrom(day(min));
    return max && found > max ? parts.dayUntil(day(max)) : null;
  };
  const fault = isLeft && typed !== null ? faultOf(typed) : null;
  const choose = (chosen: string) => {
    setTyped(null);
    setOpen(false);
    onDay(chosen, chosen);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      trapFocus
      returnFocus
      withRoles={false}
      withinPortal={false}
    >
      <Popover.Target>
        <TextInput
          {...input}
          autoComplete="off"
          placeholder={parts.dayHint}
          value={typed ?? (isDay(value) ? day(value) : value)}
          error={fault ?? error}
          onChange={({ target }) => {
            setTyped(target.value);
            setLeft(false);
            onDay(faultOf(target.value) === null ? read(target.value) : null, target.value);
          }}
          onBlur={() => {
            setLeft(true);
            if (typed !== null && faultOf(typed) === null) setTyped(null);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' || !event.altKey) return;
            event.preventDefault();
            setOpen(true);
          }}
          rightSection={
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={parts.chooseDay}
              aria-haspopup="dialog"
              aria-expanded={isOpen}
              disabled={input.disabled ?? false}
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name="calendar" size={16} />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={parts.chooseDay}>
        <Calendar value={isDay(value) ? value : startOf(min, max)} min={min} max={max} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Today, or the day nearest to it that can be chosen. */
function startOf(min: string | undefined, max: string | undefined): string {
  const now = new Date();
  const today = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  if (min && today < min) return min;
  return max && today > max ? max : today;
}
