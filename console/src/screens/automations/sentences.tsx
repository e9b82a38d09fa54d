import type { ReactNode } from 'react';
import { Sentence } from '../../parts/sentence.tsx';
import { useWords } from '../../words/words.tsx';
import { AudienceSlot, SkipsSlot } from './audience-slots.tsx';
import styles from './automation.module.css';
import { BudgetSlot, LeadSlot, SenderSlot } from './sender-slots.tsx';
import { ChoiceSlot } from './slot.tsx';
import type { AutomationTerms, SlotsProps } from './terms.ts';
import { ActionSlot, AmountSlot, Tiers } from './tiers.tsx';
import { DaysSlot, HourSlot, TriggerSlot } from './when-slots.tsx';

/** What an automation says, in sentences. The tinted words are what can be changed; there is no second form behind them. */
export function Sentences(slots: SlotsProps & { stored: AutomationTerms | null }) {
  const { automations: words } = useWords();
  const { terms, isFixed, change, stored } = slots;
  const { trigger, action } = terms;
  const { rows, fields } = words;
  const hasLeap = isYearly(terms);
  const isByYears = trigger.is === 'ANNIVERSARY' && action.is !== 'NUDGE' && action.byYears !== undefined;
  return (
    <dl className={`box ${styles.sentences}`}>
      <Row name={rows.when}>
        <Sentence
          text={[words.when, words.whenDayOff, ...(hasLeap ? [words.whenLeap] : [])].join(' ')}
          parts={{
            trigger: <TriggerSlot {...slots} />,
            hour: <HourSlot {...slots} />,
            dayOff: (
              <ChoiceSlot
                label={fields.dayOff}
                value={terms.onDayOff}
                options={words.dayOffs}
                isFixed={isFixed}
                onChange={(onDayOff) => change({ onDayOff })}
              />
            ),
            leap: (
              <ChoiceSlot
                label={fields.leap}
                value={terms.onLeapDay}
                options={words.leaps}
                isFixed={isFixed}
                onChange={(onLeapDay) => change({ onLeapDay })}
              />
            ),
          }}
        />
      </Row>
      <Row name={rows.who}>
        <Sentence
          text={words.who}
          parts={{
            include: <AudienceSlot {...audienceOf(slots)} side="include" />,
            exclude: <AudienceSlot {...audienceOf(slots)} side="exclude" />,
            skips: <SkipsSlot {...slots} />,
          }}
        />
      </Row>
      <Row name={rows.gets}>
        <Sentence
          text={isByYears ? words.gets.byYears : action.is === 'GIFT' ? words.gets.GIFT : words.gets.plain}
          parts={{ action: <ActionSlot {...slots} />, amount: <AmountSlot {...slots} /> }}
        />
        {isByYears && <Tiers {...slots} stored={stored} />}
      </Row>
      <Row name={rows.from}>
        <Sentence
          text={terms.leadDays > 0 ? words.from.asked : words.from.plain}
          parts={{ from: <SenderSlot {...slots} />, lead: <LeadSlot {...slots} /> }}
        />
      </Row>
      {action.is === 'GIFT' && (
        <Row name={rows.paidBy}>
          <Sentence
            text={words.paidBy}
            parts={{
              budget: <BudgetSlot {...slots} />,
              ifShort: (
                <ChoiceSlot
                  label={fields.ifShort}
                  value={terms.ifShort}
                  options={words.ifShorts}
                  isFixed={isFixed}
                  onChange={(ifShort) => change({ ifShort })}
                />
              ),
            }}
          />
        </Row>
      )}
      <Row name={rows.missed}>
        <Sentence
          text={terms.catchUpDays > 0 ? words.missed : words.notMissed}
          parts={{
            days: (
              <DaysSlot
                label={fields.catchUp}
                text={terms.catchUpDays > 0 ? words.days(terms.catchUpDays) : words.noCatchUp}
                value={terms.catchUpDays}
                most={30}
                isFixed={isFixed}
                onChange={(catchUpDays) => change({ catchUpDays })}
              />
            ),
          }}
        />
      </Row>
    </dl>
  );
}

/** Whether 29 February can be its day. */
function isYearly({ trigger }: AutomationTerms): boolean {
  return trigger.is === 'BIRTHDAY' || trigger.is === 'ANNIVERSARY' || trigger.monthDay === '02-29';
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function audienceOf({ terms: { audience }, isFixed, change }: SlotsProps) {
  return { audience, isFixed, onChange: (chosen: typeof audience) => change({ audience: chosen }) };
}
