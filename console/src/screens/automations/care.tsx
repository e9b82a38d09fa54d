import type { AutomationPlan } from '@giftwire/sdk';
import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCan, useHere } from '../../data/me.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './automation.module.css';
import { languageName, type MessageLanguage } from './message.tsx';
import type { AutomationTerms } from './terms.ts';

interface CareProps {
  plan: AutomationPlan;
  terms: AutomationTerms;
  onLanguage: (language: MessageLanguage) => void;
}

const mostNamed = 5;

/** Who would be missed and why, each with what to do. */
export function Care({ plan, terms, onLanguage }: CareProps) {
  const { automations: words } = useWords();
  const { money, month: monthName } = useFormats();
  const can = useCan();
  const { workspace } = useHere();
  const { care, months } = words;
  const [firstShort] = plan.months.filter(({ short }) => short > 0);
  const items: { key: string; icon: IconName; isRed?: true; title: string; text: ReactNode }[] = [];
  if (firstShort && plan.currency)
    items.push({
      key: 'short',
      icon: 'warn',
      isRed: true,
      title: months.short(monthName(`${firstShort.month}-01`), money(firstShort.short, plan.currency)),
      text: (
        <>
          {(terms.ifShort === 'MESSAGE' ? months.shortMessage : months.shortWait)(firstShort.unpaid, firstShort.people)}{' '}
          {can('budgets:read') && <Go to="/money">{months.addMoney}</Go>}
        </>
      ),
    });
  if (plan.passed.length > 0)
    items.push({
      key: 'passed',
      icon: 'calendar',
      title: care.passed.title(plan.passed.length),
      text: (
        <>
          {care.passed.text} <Names people={plan.passed.slice(0, mostNamed)} />
          {plan.passed.length > mostNamed && ` ${months.more(plan.passed.length - mostNamed)}`}
        </>
      ),
    });
  // A workspace begins with UTC. Where people are elsewhere, their day would come at night.
  const isNightly = plan.months.some(({ first }) => first.some(({ timeZone }) => timeZone === 'UTC'));
  if (workspace.timeZone === 'UTC' && isNightly)
    items.push({
      key: 'zone',
      icon: 'clock',
      title: care.zone.title(`${String(terms.hour).padStart(2, '0')}:00`),
      text: (
        <>
          {care.zone.text} {can('settings:manage') && <Go to="/settings/policies">{care.zone.act}</Go>}
        </>
      ),
    });
  for (const { why, what, people, first } of plan.missed) {
    const names = <Names people={first} />;
    const more = people > first.length && ` ${months.more(people - first.length)}`;
    const key = `${why} ${what}`;
    if (why === 'NO_DATE')
      items.push({
        key,
        icon: 'calendar',
        title: terms.trigger.is === 'BIRTHDAY' ? care.NO_DATE.BIRTHDAY(people) : care.NO_DATE.other(people),
        text: (
          <>
            {care.NO_DATE.text} {names}
            {more}
            {can('directory:write') && (
              <>
                {' · '}
                <Go to="/people/import">{care.NO_DATE.act}</Go>
              </>
            )}
          </>
        ),
      });
    if (why === 'NO_EMAIL')
      items.push({
        key,
        icon: 'at',
        title: care.NO_EMAIL.title(people),
        text: (
          <>
            {care.NO_EMAIL.text} {names}
            {more}
          </>
        ),
      });
    if (why === 'NO_MESSAGE' && what)
      items.push({
        key,
        icon: 'pen',
        title: care.NO_MESSAGE.title(people, languageName(what)),
        text: (
          <>
            {care.NO_MESSAGE.text}{' '}
            <UnstyledButton className={styles.act} onClick={() => onLanguage(what as MessageLanguage)}>
              {care.NO_MESSAGE.act}
            </UnstyledButton>
          </>
        ),
      });
    if (why === 'NO_VALUE' && what)
      items.push({
        key,
        icon: 'pen',
        title: care.NO_VALUE.title(people, what),
        text: (
          <>
            {care.NO_VALUE.text}{' '}
            <UnstyledButton className={styles.act} onClick={() => document.getElementById(`missing-${what}`)?.focus()}>
              {care.NO_VALUE.act}
            </UnstyledButton>
          </>
        ),
      });
    if (why === 'NO_MANAGER')
      items.push({
        key,
        icon: 'person',
        title: care.NO_MANAGER.title(people),
        text: (
          <>
            {care.NO_MANAGER.text} {names}
            {more}
          </>
        ),
      });
  }
  if (items.length === 0) return null;
  return (
    <ul className={styles.care}>
      {items.map(({ key, icon, isRed, title, text }) => (
        <li key={key} data-red={isRed}>
          <Icon name={icon} />
          <b>{title}</b>
          <p className="quiet small">{text}</p>
        </li>
      ))}
    </ul>
  );
}

function Names({ people }: { people: AutomationPlan['missed'][number]['first'] }) {
  return people.map(({ memberId, firstName, lastName }, nth) => (
    <span key={memberId}>
      {nth > 0 && ', '}
      <Go to={`/people/${memberId}`}>{`${firstName} ${lastName}`.trim()}</Go>
    </span>
  ));
}

/** What a change does to the twelve months. */
export function Difference({ plan }: { plan: AutomationPlan }) {
  const { automations: words } = useWords();
  const { money } = useFormats();
  const { difference, currency, total } = plan;
  if (!difference) return null;
  const { before, added, removed, moved, larger, smaller } = difference;
  const told = words.difference;
  const cost = total.amount - before.amount;
  const signed = (amount: number, code: string) => `${amount > 0 ? '+' : '−'}${money(Math.abs(amount), code)}`;
  const parts = [
    added > 0 && told.added(added),
    removed > 0 && told.removed(removed),
    larger > 0 && told.larger(larger),
    smaller > 0 && told.smaller(smaller),
    moved > 0 && told.moved(moved),
  ].filter((one) => one !== false);
  return (
    <p className={styles.difference}>
      <b>{told.title}</b>
      {parts.length === 0 && <span>{told.none}</span>}
      {parts.map((one) => (
        <span key={one}>{one}</span>
      ))}
      {cost !== 0 && currency && <b className="figure">{told.cost(signed(cost, currency))}</b>}
      <span>{told.once}</span>
    </p>
  );
}
