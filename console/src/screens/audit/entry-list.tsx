import type { AuditEntry } from '@giftwire/sdk';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AuditAction } from '../../../../src/ground/values/audit-actions.ts';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import type { IconName } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import type { Tone } from '../../parts/state-pill.tsx';
import { Foot } from '../../parts/table.tsx';
import { Dot } from '../../parts/timeline.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './audit.module.css';
import { detailText, peopleIn } from './detail.ts';
import { detailWords } from './detail-words.ts';
import { kindOf, subjectOf } from './subject.ts';

/** Entries as sentences, the latest first, under the day on which they happened. */
export function EntryList({ entries, foot }: { entries: readonly AuditEntry[]; foot: ReactNode }) {
  const { screens } = useWords();
  const { weekday } = useFormats();
  const names = useNames(entries);
  const days: [day: string, entries: AuditEntry[]][] = [];
  for (const entry of entries) {
    const day = weekday(entry.at);
    if (days.at(-1)?.[0] === day) days.at(-1)?.[1].push(entry);
    else days.push([day, [entry]]);
  }
  return (
    <section className="box" aria-label={screens.audit}>
      {days.map(([day, some]) => (
        <section key={day} aria-label={day}>
          <h2 className={styles.day}>{day}</h2>
          <ul>
            {some.map((entry) => (
              <Entry key={entry.id} entry={entry} names={names} />
            ))}
          </ul>
        </section>
      ))}
      <Foot>{foot}</Foot>
    </section>
  );
}

const looks: Record<string, { icon: IconName; tone?: Tone }> = {
  user: { icon: 'shield' },
  token: { icon: 'key' },
  order: { icon: 'plane', tone: 'blue' },
  gift: { icon: 'gift', tone: 'blue' },
  shoutout: { icon: 'heart', tone: 'brand' },
  settings: { icon: 'gear' },
  webhook: { icon: 'plug' },
  member: { icon: 'person' },
  members: { icon: 'people' },
  people: { icon: 'people' },
  team: { icon: 'people' },
  reason: { icon: 'heart' },
  bulk_action: { icon: 'gift', tone: 'blue' },
  workspace: { icon: 'gear' },
  mail: { icon: 'mail' },
  budget: { icon: 'coin', tone: 'green' },
  pool: { icon: 'key' },
  spending_option: { icon: 'gift' },
  redemption: { icon: 'coin', tone: 'green' },
  payroll: { icon: 'coin', tone: 'green' },
  file: { icon: 'download', tone: 'amber' },
};

/** Reads of many codes or people at once. */
const reads = new Set(['order.codes_read', 'gift.printed', 'mail.read', 'file.downloaded', 'people.listed']);

function Entry({ entry, names }: { entry: AuditEntry; names: ReadonlyMap<number, string> }) {
  const all = useWords();
  const { audit: words } = all;
  const formats = useFormats();
  const { time, date } = formats;
  const { action, actor, actorName, at } = entry;
  const look = looks[kindOf(action)] ?? { icon: 'ring' };
  const text = detailText(entry, { ...detailWords(all, formats), nameOf: (id) => names.get(id) ?? null });
  return (
    <li className={styles.entry}>
      <time className="quiet small figure" dateTime={at} title={`${date(at)}, ${time(at)}`}>
        {time(at)}
      </time>
      <Dot icon={look.icon} tone={reads.has(action) ? 'amber' : look.tone} />
      <div className={styles.what}>
        <b>{actorName ?? words.actors[actor]}</b> {words.actions[action as AuditAction] ?? action}
        <Subject entry={entry} />
        {text && <div className="second small">{text}</div>}
      </div>
      <span className={`quiet small ${styles.how}`}>{words.through[actor]}</span>
    </li>
  );
}

/** What the entry is about, with a link where it has a screen. */
function Subject({ entry }: { entry: AuditEntry }) {
  const { audit: words, parts } = useWords();
  const can = useCan();
  const subject = subjectOf(entry, words);
  if (subject === null) return null;
  const { text, to, scope, isLinkOnly } = subject;
  if (to && scope && can(scope))
    return (
      <>
        {parts.colon}
        <Go to={to}>{text}</Go>
      </>
    );
  return isLinkOnly ? null : `${parts.colon}${text}`;
}

/** The names of the people whom entries name by their ids. */
function useNames(entries: readonly AuditEntry[]): ReadonlyMap<number, string> {
  const can = useCan()('directory:read');
  const ids = can ? [...new Set(entries.flatMap(peopleIn))] : [];
  const found = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['members', 'one', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => giftwire.members.retrieve(id, { signal }),
      retry: false,
    })),
  });
  return new Map(found.flatMap(({ data }, nth) => (data ? [[ids[nth] as number, nameOf(data)]] : [])));
}
