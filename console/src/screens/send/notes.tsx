import type { OrderItemValidation, OrderValidation } from '@giftwire/sdk';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import type { Formats } from '../../words/formats.ts';
import { useFormats, useWords, type Words } from '../../words/words.tsx';
import { useAskedNames } from '../approvals/asked.ts';
import type { Draft } from './draft.ts';
import styles from './send.module.css';

interface Note {
  icon: IconName;
  tone?: 'amber' | 'red';
  text: string;
  giftId?: number;
}

interface NotesProps {
  draft: Draft;
  trial: OrderValidation;
}

/** What one should know before sending: rules, twins, people who are added, and gifts that no email can bring. */
export function Notes({ draft, trial }: NotesProps) {
  const { send } = useWords();
  const formats = useFormats();
  const namesOf = useAskedNames();
  const notes = trial.items.flatMap((item, at) => notesOn(item, at, draft, send, formats));
  // What concerns the budget stands beside the total.
  const isOver = trial.budget !== null && trial.budget.left < 0;
  const others = trial.faults.filter(
    ({ item, path }) => item === null && path !== 'deliverAt' && !(isOver && path === null),
  );
  const all: Note[] = [
    ...ruleNotes(trial, send, namesOf),
    ...notes,
    ...others.map(
      ({ path, problem }) => ({ icon: 'warn', tone: 'red', text: `${path ?? ''} ${problem}`.trim() }) as const,
    ),
    ...(trial.ignored ?? []).map((field) => ({ icon: 'warn', tone: 'amber', text: send.isIgnored(field) }) as const),
  ];
  return (
    <div className={styles.notes} role="status">
      {all.map(({ icon, tone, text, giftId }) => (
        <p key={text} className={styles.note} data-tone={tone}>
          <Icon name={icon} size={16} />
          <span>
            {text} {giftId !== undefined && <Go to={`/gifts/${giftId}`}>{send.seeGift}</Go>}
          </span>
        </p>
      ))}
    </div>
  );
}

/** Which rule the order waits for, and who is asked. What a rule rejects is among the faults, in the rule's own words. */
function ruleNotes({ rule }: OrderValidation, send: Words['send'], namesOf: ReturnType<typeof useAskedNames>): Note[] {
  if (rule?.outcome !== 'ASK') return [];
  const { name, asked, days } = rule;
  const text = asked.length > 0 ? send.ruleAsks(name, namesOf(asked), days ?? 0) : send.ruleAsksNone(name);
  return [{ icon: 'pause', tone: 'amber', text }];
}

function notesOn(
  { outcome, address, twin, member }: OrderItemValidation,
  at: number,
  { recipients, amount, currency }: Draft,
  send: Words['send'],
  { money, relative, day }: Formats,
): Note[] {
  const recipient = recipients[at];
  if (!recipient) return [];
  const who = nameOf(member ?? recipient);
  const ago = (time: string) => (Date.now() - Date.parse(time) < 86_400_000 ? relative(time) : send.onDay(day(time)));
  const isSent = outcome === 'FOUND' || outcome === 'NEW';
  const notes: (Note | false)[] = [
    outcome === 'LEFT' && { icon: 'warn', tone: 'red', text: send.hasLeft(who) },
    outcome === 'UNKNOWN' && { icon: 'warn', tone: 'red', text: send.isUnknown(who) },
    twin !== null && {
      ...{ icon: 'clock', tone: 'amber', giftId: twin.id },
      text: send.twin(who, money(amount ?? 0, currency), ago(twin.issuedAt)),
    },
    outcome === 'NEW' && { icon: 'plus', text: send.willBeAdded(who) },
    isSent && address === null && { icon: 'print', tone: 'amber', text: send.noAddress(who) },
  ];
  return notes.filter((note) => note !== false);
}
