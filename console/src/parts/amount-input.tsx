import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

interface AmountInputProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  value: number | null;
  onChange: (value: number | null) => void;
}

/** An amount of money; empty is null. A comma is as good as a point. */
export function AmountInput({ value, onChange, ...rest }: AmountInputProps) {
  const [typed, setTyped] = useState<string | number>(value ?? '');
  // What ends in a zero behind the point is a text, and may be on its way to 250.05: it stays while it means the value.
  const shown = numberOf(typed) === value ? typed : (value ?? '');
  return (
    <NumberInput
      min={0}
      decimalScale={2}
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
