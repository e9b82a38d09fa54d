import type { Occurrence } from '@giftwire/sdk';
import type { IconName } from '../../parts/icon.tsx';
import { Pill, type Tone } from '../../parts/state-pill.tsx';
import { useWords, type Words } from '../../words/words.tsx';

type State = keyof Words['automations']['states'];

const looks: Record<State, { tone: Tone; icon: IconName }> = {
  ON: { tone: 'green', icon: 'ok' },
  WAITING: { tone: 'amber', icon: 'pause' },
  SHORT: { tone: 'amber', icon: 'warn' },
  PAUSED: { tone: 'neutral', icon: 'pause' },
  DRAFT: { tone: 'neutral', icon: 'ring' },
};

/** The state of an automation. */
export function AutomationPill({ state }: { state: State }) {
  const { automations: words } = useWords();
  return <Pill {...looks[state]}>{words.states[state]}</Pill>;
}

type Shown = keyof Words['automations']['occurrenceStates'];

const occurrenceLooks: Record<Shown, { tone: Tone; icon: IconName }> = {
  ASKED: { tone: 'neutral', icon: 'pen' },
  DUE: { tone: 'blue', icon: 'plane' },
  SENDING: { tone: 'blue', icon: 'plane' },
  SENT: { tone: 'blue', icon: 'plane' },
  MESSAGE_ONLY: { tone: 'amber', icon: 'heart' },
  SKIPPED: { tone: 'neutral', icon: 'no' },
  NOT_DONE: { tone: 'red', icon: 'warn' },
  ALREADY_DONE: { tone: 'neutral', icon: 'undo' },
  NO_ADDRESS: { tone: 'red', icon: 'at' },
  WAITING: { tone: 'amber', icon: 'pause' },
};

/** What became of one occurrence. */
export function OccurrencePill({ occurrence: { state, reason, daysLate, isWaiting } }: { occurrence: Occurrence }) {
  const { automations: words } = useWords();
  if (state === 'SENT' && !isWaiting && daysLate > 0)
    return (
      <Pill tone="blue" icon="clock">
        {words.late(daysLate)}
      </Pill>
    );
  const shown: Shown = isWaiting
    ? 'WAITING'
    : reason === 'ALREADY_DONE' || (reason === 'NO_ADDRESS' && state === 'NOT_DONE')
      ? reason
      : state;
  return <Pill {...occurrenceLooks[shown]}>{words.occurrenceStates[shown]}</Pill>;
}
