import type { OrderApproval } from '@giftwire/sdk';
import { Section } from '../../parts/page.tsx';
import { Dot } from '../../parts/timeline.tsx';
import { Wire, type WireStep } from '../../parts/wire.tsx';
import type { Formats } from '../../words/formats.ts';
import { useFormats, useWords, type Words } from '../../words/words.tsx';
import styles from './approvals.module.css';
import { useAskedNames } from './asked.ts';
import { Comment } from './decisions.tsx';
import { sumOf } from './what.ts';

/** How far the approval has come, and what was decided. The sender reads the comments here. */
export function ApprovalProgress({ approval }: { approval: OrderApproval }) {
  const { approvals: words } = useWords();
  const formats = useFormats();
  const namesOf = useAskedNames();
  return (
    <>
      <Wire turns steps={stepsOf(approval, namesOf, words, formats)} />
      {approval.decisions.length > 0 && (
        <section aria-label={words.decisions}>
          {approval.decisions.map((decision) => (
            <Comment key={decision.level} decision={decision} />
          ))}
        </section>
      )}
    </>
  );
}

function stepsOf(
  { state, level, levels, askedAt, decideBy, asked, decisions }: OrderApproval,
  namesOf: ReturnType<typeof useAskedNames>,
  { progress, decidedBy, noneAsked }: Words['approvals'],
  { moment, shortDay }: Formats,
): WireStep[] {
  const steps: WireStep[] = [];
  steps.push({ label: progress.asked, note: moment(askedAt), isDone: true });
  for (const { decision, by, at } of decisions)
    steps.push({
      label: decision === 'EXPIRED' ? decidedBy.EXPIRED : decidedBy[decision](by?.name ?? '–'),
      note: moment(at),
      isDone: decision === 'APPROVED',
      ...(decision !== 'APPROVED' && { mark: 'END' as const }),
    });
  if (state === 'WAITING') {
    const names = asked.length > 0 ? progress.waitsFor(namesOf(asked)) : noneAsked;
    steps.push({
      label: names,
      note: progress.until(shortDay(askedAt), moment(decideBy)),
      isDone: false,
      mark: 'PAUSE',
    });
    if (level < levels) steps.push({ label: progress.nextLevel, note: progress.after, isDone: false });
  }
  if (state === 'WAITING' || state === 'APPROVED')
    steps.push({
      label: progress.sent,
      note: state === 'APPROVED' ? progress.delivered : progress.afterDecision,
      isDone: state === 'APPROVED',
    });
  return steps;
}

/** What happens after each possible outcome. */
export function WhatNext({ approval }: { approval: OrderApproval }) {
  const { approvals: words } = useWords();
  const { date } = useFormats();
  const { asked, ownersAsked, level, levels, decideBy } = approval;
  const { gifts } = sumOf(approval);
  const rows = [
    ...(asked.length === 0
      ? [{ icon: 'warn' as const, title: words.nonePossible, text: words.nonePossibleText }]
      : [
          ...(ownersAsked ? [{ icon: 'person' as const, title: words.ownersAsked, text: words.ownersAskedText }] : []),
          {
            icon: 'plane' as const,
            title: words.ifApproved,
            text: level < levels ? words.ifApprovedOn : words.ifApprovedText(gifts),
          },
          { icon: 'no' as const, title: words.ifDeclined, text: words.ifDeclinedText },
        ]),
    { icon: 'clock' as const, title: words.ifNoDecision(date(decideBy)), text: words.ifNoDecisionText },
  ];
  return (
    <Section title={words.next}>
      <ul className={`box ${styles.next}`}>
        {rows.map(({ icon, title, text }) => (
          <li key={title}>
            <Dot icon={icon} />
            <div>
              <b>{title}</b>
              <div className="quiet">{text}</div>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
