import type { Redemption } from '@giftwire/sdk';
import type { IconName } from '../../parts/icon.tsx';
import { Pill, type Tone } from '../../parts/state-pill.tsx';
import { useWords } from '../../words/words.tsx';

const looks: Record<Redemption['state'], { tone: Tone; icon: IconName }> = {
  REQUESTED: { tone: 'amber', icon: 'clock' },
  DONE: { tone: 'green', icon: 'ok' },
  REVERSED: { tone: 'neutral', icon: 'repeat' },
  DECLINED: { tone: 'neutral', icon: 'no' },
};

export function RedemptionPill({ state }: { state: Redemption['state'] }) {
  const { spending: words } = useWords();
  return <Pill {...looks[state]}>{words.states[state]}</Pill>;
}
