import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { currencyDigits } from '../words/currency-digits.ts';

interface AmountInputProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  value: number | null;
  /** Null: any currency. */
  currency: string | null;
  onChange: (value: number | null) => void;
}

/** An amount of money; empty is null. A comma is as good as a point. */
export function AmountInput({ value, currency, onChange, ...rest }: AmountInputProps) {
  const [typed, setTyped] = useState<string | number>(value ?? '');
  // What ends in a zero behind the point is a text, and may be on its way to 250.05: it stays while it means the value.
  const shown = numberOf(typed) === value ? typed : (value ?? '');
  return (
    <NumberInput
      min={0}
      // An amount that was written for another currency stays as it is: the field would show it rounded.
      decimalScale={Math.max(currencyDigits(currency), decimalsOf(value))}
      allowedDecimalSeparators={['.', ',']}
      hideControls
      inputMode="decimal"
      {...rest}
      value={shown}
      onChange={(text) => {
        setTyped(text);
        onChange(numberOf(text));
      }}
    />
  );
}

function numberOf(typed: string | number): number | null {
  const value = typed === '' ? Number.NaN : Number(typed);
  return Number.isFinite(value) ? value : null;
}

function decimalsOf(value: number | null): number {
  return String(value ?? '').split('.')[1]?.length ?? 0;
}
