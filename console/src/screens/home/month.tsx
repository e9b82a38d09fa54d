import type { OverviewSpan } from '@giftwire/sdk';
import type { ReactNode } from 'react';
import { Section } from '../../parts/page.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './home.module.css';

/** The figures of this month so far, beside as many days of the month before. */
export function Month({ current, before }: { current: OverviewSpan; before: OverviewSpan }) {
  const { home } = useWords();
  const { number, money, percent, span, month } = useFormats();
  const [value] = current.amounts;
  const valueBefore = before.amounts.find(({ currency }) => currency === value?.currency)?.amount ?? 0;
  return (
    <Section
      title={home.soFar(month(current.from))}
      beside={home.beside(span(current.from, current.to), span(before.from, before.to))}
    >
      <dl className={styles.figures}>
        <Figure name={home.giftsSent} now={current.gifts} before={before.gifts} write={number} />
        {value ? (
          <Figure
            name={home.value}
            // Rounded before they are compared, so that the three figures agree.
            now={Math.round(value.amount)}
            before={Math.round(valueBefore)}
            write={(amount) => money(amount, value.currency, { whole: true })}
            note={current.amounts
              .slice(1)
              .map(({ amount, currency }) => `+ ${money(amount, currency, { whole: true })}`)
              .join(' ')}
          />
        ) : (
          <div>
            <dt>{home.value}</dt>
            <dd>
              <b className={styles.large}>–</b>
              <span className="quiet">{home.noValue}</span>
            </dd>
          </div>
        )}
        <Figure
          name={home.recognized}
          now={current.recognized}
          before={before.recognized}
          write={number}
          note={
            current.people > 0 && home.ofPeople(percent(current.recognized / current.people), number(current.people))
          }
        />
        <Figure name={home.claimed} now={current.claimed} before={before.claimed} write={number} />
      </dl>
    </Section>
  );
}

interface FigureProps {
  name: string;
  now: number;
  before: number;
  write: (value: number) => string;
  note?: ReactNode;
}

function Figure({ name, now, before, write, note }: FigureProps) {
  const { home } = useWords();
  const change = now - before;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b className={styles.large}>{write(now)}</b>
        <span className="quiet">
          {change === 0 ? (
            home.asBefore(write(before))
          ) : (
            <>
              <span className={change > 0 ? styles.up : styles.down}>
                {change > 0 ? '+' : '−'}
                {write(Math.abs(change))}
              </span>{' '}
              {home.from(write(before))}
            </>
          )}
          {note && <span className={styles.note}>{note}</span>}
        </span>
      </dd>
    </div>
  );
}
