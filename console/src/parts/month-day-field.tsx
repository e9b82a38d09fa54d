import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { parseDateFormat, readMonthDay } from '../../../src/ground/sheets/dates.ts';
import { useFormats, useWords } from '../words/words.tsx';

interface MonthDayFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** As 05-17; empty: no day. What was typed and is no day stays as it is. */
  value: string;
  onMonthDay: (monthDay: string) => void;
}

/** The console writes the day first, in each of its languages. */
const dayFirst = parseDateFormat('DD/MM/YYYY');

/** A day of each year, in the language of the console. A year that was typed is removed at once. */
export function MonthDayField({ value, onMonthDay, error, ...input }: MonthDayFieldProps) {
  const { parts } = useWords();
  const { monthDay } = useFormats();
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  const read = (text: string): string | null => {
    if (text.trim() === '') return '';
    const found = readMonthDay(text, dayFirst);
    return found && 'day' in found ? found.day : null;
  };
  const fault = isLeft && typed !== null && read(typed) === null ? parts.noMonthDay(monthDay('05-17')) : null;
  return (
    <TextInput
      {...input}
      autoComplete="off"
      placeholder={parts.monthDayHint}
      value={typed ?? (/^\d\d-\d\d$/.test(value) ? monthDay(value) : value)}
      error={fault ?? error}
      onChange={({ target }) => {
        setTyped(target.value);
        setLeft(false);
        onMonthDay(read(target.value) ?? target.value);
      }}
      onBlur={() => {
        setLeft(true);
        if (typed !== null && read(typed) !== null) setTyped(null);
      }}
    />
  );
}
