import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { TestMail } from '../../gift/test-mail.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Bar } from '../../parts/page.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { longestNote } from '../send/draft.ts';
import styles from './bulk.module.css';
import type { GiftRow } from './file/rows.ts';
import { RuleHints } from './rule-hints.tsx';
import type { OpenSheet } from './use-sheet.ts';
import { type Total, totalsOf } from './verdicts.ts';

interface TotalsProps {
  open: OpenSheet;
  onSend: (rows: readonly GiftRow[], note: string) => Promise<void>;
}

/** What the ready rows cost, in sight while one scrolls, and the button that sends them. */
export function Totals({ open, onSend }: TotalsProps) {
  const { bulk } = useWords();
  const { money, list } = useFormats();
  const [isAsking, setAsking] = useState(false);
  const [note, setNote] = useState('');
  const { verdicts, checked, questions } = open;
  const ready = verdicts.filter(({ is }) => is === 'ready').map(({ row }) => row);
  const behind = verdicts.length - ready.length;
  const totals = totalsOf(ready);
  const sum = list(totals.map(({ total, currency }) => money(total, currency)));
  const currencies = [...new Set(verdicts.map(({ row }) => row.currency))];
  const isOver = totals.some((one) => (leftOf(one, checked) ?? 0) < 0);
  const isChecked = !checked.isBusy && checked.general.length === 0 && questions.length === 0;
  const isReady = ready.length > 0 && isChecked && !isOver;
  return (
    <>
      <Bar
        label={bulk.totals}
        actions={
          <>
            <TestMail gift={ready[0] ? testOf(ready[0]) : null} />
            <Button
              variant="filled"
              leftSection={<Icon name="plane" />}
              disabled={!isReady}
              onClick={() => setAsking(true)}
            >
              {bulk.sendGifts(ready.length)}
            </Button>
          </>
        }
      >
        <div>
          <b className={`figure ${styles.sum}`}>{sum || money(0, open.shared.currency)}</b>
          <div className="small quiet">
            {totals.length > 1
              ? bulk.gifts(ready.length)
              : bulk.giftsOnAverage(
                  ready.length,
                  money(averageOf(totals), totals[0]?.currency ?? open.shared.currency),
                )}
          </div>
          {currencies.map((currency) => (
            <BudgetLine
              key={currency}
              one={totals.find((total) => total.currency === currency) ?? { currency, total: 0, gifts: 0 }}
              checked={checked}
            />
          ))}
        </div>
      </Bar>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={bulk.confirmTitle(ready.length)}
        act={bulk.sendGifts(ready.length)}
        onAct={() => onSend(ready, note.trim())}
        isDangerous={false}
      >
        <p>{bulk.confirmText(sum)}</p>
        {behind > 0 && <p>{bulk.staysBehind(behind)}</p>}
        {isAsking && <RuleHints rows={ready} />}
        <TextInput
          mt={16}
          label={bulk.note}
          description={bulk.noteHint}
          maxLength={longestNote}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </Confirm>
    </>
  );
}

/** What is left in the budget of a currency; null: nothing limits its gifts. */
function leftOf({ currency, total }: Total, { budgets }: Pick<OpenSheet['checked'], 'budgets'>): number | null {
  const budget = budgets.get(currency);
  return budget ? Math.round((budget.available - total) * 10_000) / 10_000 : null;
}

function averageOf([one]: readonly Total[]): number {
  return one ? one.total / one.gifts : 0;
}

function BudgetLine({ one, checked }: { one: Total; checked: OpenSheet['checked'] }) {
  const { bulk, send } = useWords();
  const { money } = useFormats();
  const { currency, gifts } = one;
  const budget = checked.budgets.get(currency);
  const left = leftOf(one, checked);
  if (!budget || left === null) return null;
  const whose = send.budgets[budget.kind](budget.name ?? '');
  const text =
    left < 0
      ? bulk.overBudget(money(-left, currency), money(budget.available, currency))
      : gifts === 0
        ? bulk.budgetOf(money(budget.available, currency), whose)
        : bulk.budgetAfter(money(left, currency), whose);
  return (
    <div className={`small ${styles.budget}`} data-over={left < 0 || undefined} role="status">
      {text}
    </div>
  );
}

function testOf({ message, amount, currency, language, deliverAt, reasonId, firstName, lastName }: GiftRow) {
  return { message, amount: amount ?? 0, currency, language, deliverAt, reasonId, firstName, lastName };
}
