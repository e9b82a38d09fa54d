import { useWords, type Words } from '../words/words.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './state-pill.module.css';

export type GiftState = keyof Words['parts']['states'];
export type Tone = 'neutral' | 'blue' | 'red' | 'brand' | 'green' | 'amber';

const looks: Record<GiftState, { tone: Tone; icon: IconName }> = {
  ISSUED: { tone: 'neutral', icon: 'ring' },
  SENT: { tone: 'blue', icon: 'plane' },
  FAILED: { tone: 'red', icon: 'warn' },
  CLAIMED: { tone: 'brand', icon: 'bow' },
  PARTLY_REDEEMED: { tone: 'green', icon: 'half' },
  REDEEMED: { tone: 'green', icon: 'ok' },
  EXPIRED: { tone: 'amber', icon: 'clock' },
  CANCELLED: { tone: 'neutral', icon: 'no' },
};

/** The state of a gift: icon, word and colour. */
export function StatePill({ state }: { state: GiftState }) {
  const { parts } = useWords();
  return <Pill {...looks[state]}>{parts.states[state]}</Pill>;
}

/** Any other state with the same look. One pill a row at most. */
export function Pill({ tone, icon, children }: { tone: Tone; icon?: IconName; children: string }) {
  return (
    <span className={styles.pill} data-tone={tone}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </span>
  );
}
