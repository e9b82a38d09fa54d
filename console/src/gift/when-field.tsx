import { Input, SegmentedControl, TextInput } from '@mantine/core';
import { useWords } from '../words/words.tsx';
import { localNow } from './terms.ts';
import styles from './when-field.module.css';

interface WhenFieldProps {
  label?: string;
  /** As a field for date and time has it; empty: now. */
  deliverAt: string;
  onChange: (deliverAt: string) => void;
  fault: string | null;
}

/** When gifts are emailed: now, or at a moment that one chooses. */
export function WhenField({ label, deliverAt, onChange, fault }: WhenFieldProps) {
  const { send } = useWords();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
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
          <TextInput
            type="datetime-local"
            aria-label={send.whenLater}
            description={send.whenZone(zone)}
            inputWrapperOrder={['input', 'error', 'description']}
            value={deliverAt}
            min={localNow()}
            // Without it, browsers take a year of six digits.
            max="9999-12-31T23:59"
            onChange={({ currentTarget }) => onChange(currentTarget.value || tomorrowMorning())}
            error={fault}
          />
        )}
      </div>
    </Input.Wrapper>
  );
}

function tomorrowMorning(): string {
  const day = new Date(Date.now() + 86_400_000);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}T09:00`;
}
