import { Group, Input, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DateField } from '../parts/date-field.tsx';
import { readTypedTime } from '../words/typed-day.ts';
import { useWords } from '../words/words.tsx';
import { localNow } from './terms.ts';
import styles from './when-field.module.css';

interface WhenFieldProps {
  label?: string;
  /** As 2026-11-18T09:00; empty: now. What is no date is kept as it was typed: the service rejects it, so that nothing is sent now. */
  deliverAt: string;
  onChange: (deliverAt: string) => void;
  fault: string | null;
}

/** When gifts are emailed: now, or at a moment that one chooses. */
export function WhenField({ label, deliverAt, onChange, fault }: WhenFieldProps) {
  const { send } = useWords();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [day = '', time = ''] = deliverAt.split('T');
  return (
    <Input.Wrapper label={label ?? send.when} labelElement="div">
      <div className={styles.when}>
        <SegmentedControl
          aria-label={label ?? send.when}
          value={deliverAt === '' ? 'now' : 'later'}
          onChange={(value) => onChange(value === 'now' ? '' : tomorrowMorning())}
          data={[
            { value: 'now', label: send.whenNow },
            { value: 'later', label: send.whenLater },
          ]}
        />
        {deliverAt !== '' && (
          <Input.Wrapper
            description={send.whenZone(zone)}
            error={fault}
            inputWrapperOrder={['input', 'error', 'description']}
          >
            <Group gap={8} wrap="nowrap" align="start">
              <DateField
                aria-label={send.whenDay}
                value={day}
                min={localNow().slice(0, 10)}
                onDay={(chosen, typed) => onChange(`${chosen || typed.replaceAll('T', ' ')}T${time}`)}
              />
              <TimeField label={send.whenTime} time={time} onTime={(chosen) => onChange(`${day}T${chosen}`)} />
            </Group>
          </Input.Wrapper>
        )}
      </div>
    </Input.Wrapper>
  );
}

/** Hours and minutes of a day of 24 hours. */
function TimeField({ label, time, onTime }: { label: string; time: string; onTime: (time: string) => void }) {
  const { parts } = useWords();
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed === null && readTypedTime(time) === null;
  return (
    <TextInput
      aria-label={label}
      className={styles.time}
      autoComplete="off"
      value={typed ?? time}
      error={isWrong ? parts.noTime : null}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        onTime(readTypedTime(value) ?? value);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

function tomorrowMorning(): string {
  const day = new Date(Date.now() + 86_400_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}T09:00`;
}
