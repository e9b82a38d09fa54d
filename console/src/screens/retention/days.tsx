import type { RetentionRule } from '@giftwire/sdk';
import { Button, NumberInput } from '@mantine/core';
import { useWords } from '../../words/words.tsx';
import styles from './retention.module.css';

interface DaysProps {
  rule: RetentionRule;
  days: number | null;
  isFixed: boolean;
  onChange: (days: number | null) => void;
}

/** For how many days one kind is kept. Empty means always, where the kind can be kept always. */
export function Days({ rule, days, isFixed, onChange }: DaysProps) {
  const { retention: words } = useWords();
  const { kind, usualDays, leastDays, mostDays } = rule;
  const isLimited = usualDays !== null && mostDays <= usualDays;
  const limits = isLimited ? words.most(mostDays) : words.least(leastDays);
  return (
    <div className={styles.keep}>
      <NumberInput
        aria-label={words.keepOf(words.kinds[kind].name)}
        disabled={isFixed}
        min={leastDays}
        max={mostDays}
        allowDecimal={false}
        clampBehavior="blur"
        hideControls
        suffix={words.suffix}
        placeholder={words.always}
        value={days ?? ''}
        onChange={(value) => onChange(value === '' ? (isLimited ? usualDays : null) : Number(value))}
      />
      <div className="quiet small">
        {words.usual(usualDays)}, {limits}
        {!isFixed && days !== usualDays && (
          <Button variant="transparent" size="compact-xs" onClick={() => onChange(usualDays)}>
            {words.useUsual}
          </Button>
        )}
      </div>
    </div>
  );
}
