import type { AutomationPlan, PlannedMonth, PlannedOccurrence } from '@giftwire/sdk';
import { UnstyledButton } from '@mantine/core';
import type { CSSProperties } from 'react';
import { Face } from '../../parts/face.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './months.module.css';
import { scaleOf } from './scale.ts';

interface MonthsProps {
  plan: AutomationPlan;
  chosen: string;
  onChoose: (month: string) => void;
}

/** The months of the plan: cost as a bar against the dashed budget, and people as faces below. A month opens as a table. Under 900 px months are rows. */
export function Months({ plan, chosen, onChoose }: MonthsProps) {
  const { number } = useFormats();
  const { months, currency } = plan;
  const scale = scaleOf(months);
  const hasCost = currency !== null && plan.total.amount > 0;
  return (
    <ol className={styles.months} data-free={!hasCost || undefined}>
      {hasCost && (
        <li className={styles.axis} aria-hidden="true">
          {scale.ticks.map((tick) => (
            <span key={tick} style={{ '--at': tick / scale.top } as CSSProperties}>
              {number(tick)}
            </span>
          ))}
        </li>
      )}
      {months.map((month, nth) => (
        <Month
          key={month.month}
          month={month}
          showsYear={nth === 0 || nth === months.length - 1 || month.month.endsWith('-01')}
          top={scale.top}
          hasCost={hasCost}
          isChosen={month.month === chosen}
          onChoose={() => onChoose(month.month)}
        />
      ))}
    </ol>
  );
}

interface MonthProps {
  month: PlannedMonth;
  showsYear: boolean;
  top: number;
  hasCost: boolean;
  isChosen: boolean;
  onChoose: () => void;
}

function Month({ month, showsYear, top, hasCost, isChosen, onChoose }: MonthProps) {
  const { automations: words } = useWords();
  const { number, locale, monthOfYear } = useFormats();
  const { amount, short, available, people, first } = month;
  const day = `${month.month}-01`;
  const short3 = new Intl.DateTimeFormat(locale, { month: 'short' }).format(new Date(`${day}T00:00`));
  const bars = {
    '--cost': amount / top,
    '--short': amount === 0 ? 0 : short / amount,
    '--budget': available === null ? -1 : available / top,
  } as CSSProperties;
  return (
    <li className={styles.month} data-chosen={isChosen || undefined}>
      <UnstyledButton
        className={styles.open}
        aria-pressed={isChosen}
        aria-label={words.months.show(monthOfYear(day))}
        onClick={onChoose}
      />
      {hasCost && (
        <div className={styles.cost} style={bars}>
          {available !== null && available <= top && <span className={styles.budget} />}
          <i data-short={short > 0 || undefined} />
          {amount > 0 && (
            <span className={styles.figure} data-short={short > 0 || undefined}>
              {number(Math.round(amount))}
            </span>
          )}
        </div>
      )}
      <p className={styles.name}>
        <b>
          {short3.replace('.', '')}
          {showsYear && ` ’${month.month.slice(2, 4)}`}
        </b>
        <span>{people === 0 ? words.months.none : words.months.people(people)}</span>
      </p>
      <ul className={styles.faces}>
        {first.map((one) => (
          <OnePerson key={`${one.memberId} ${one.forDay}`} one={one} />
        ))}
        {people > first.length && <li className={styles.more}>{words.months.more(people - first.length)}</li>}
      </ul>
    </li>
  );
}

const manyYears = 10;

function OnePerson({ one }: { one: PlannedOccurrence }) {
  const { automations: words } = useWords();
  const { shortDay } = useFormats();
  const { firstName, lastName, years, hasEmail, language, isSkipped, forDay } = one;
  const name = `${firstName} ${lastName}`.trim();
  const title = [name, years === null ? shortDay(forDay) : words.occasions.years(years)].join(', ');
  return (
    <li
      className={styles.person}
      title={title}
      data-many={(years !== null && years >= manyYears) || undefined}
      data-missed={!hasEmail || language === null || undefined}
      data-skipped={isSkipped || undefined}
    >
      <Face name={name} size={26} />
      <span aria-hidden="true">{years ?? Number(forDay.slice(8))}</span>
      <span className="said">{title}</span>
    </li>
  );
}
