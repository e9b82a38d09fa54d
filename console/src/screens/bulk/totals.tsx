import { Button } from '@mantine/core';
import { useState } from 'react';
import { momentOf } from '../../gift/terms.ts';
import { TestMail } from '../../gift/test-mail.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Bar } from '../../parts/page.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './bulk.module.css';
import type { GiftRow } from './file/rows.ts';
import type { OpenSheet } from './use-sheet.ts';
import { totalOf } from './verdicts.ts';

interface TotalsProps {
  open: OpenSheet;
  onSend: (rows: readonly GiftRow[]) => Promise<void>;
}

/** What the ready rows cost, in sight while one scrolls, and the button that sends them. */
export function Totals({ open, onSend }: TotalsProps) {
  const { bulk } = useWords();
  const { money } = useFormats();
  const [isAsking, setAsking] = useState(false);
  const { verdicts, checked, shared } = open;
  const ready = verdicts.filter(({ is }) => is === 'ready').map(({ row }) => row);
  const behind = verdicts.length - ready.length;
  const total = totalOf(ready);
  const { budget } = checked;
  const left = budget && Math.round((budget.available - total) * 10_000) / 10_000;
  const isOver = left !== null && left < 0;
  const isReady = ready.length > 0 && !checked.isBusy && checked.general.length === 0 && !isOver;
  return (
    <>
      <Bar
        label={bulk.totals}
        actions={
          <>
            <TestMail gift={ready[0] ? testOf(ready[0], shared) : null} />
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
          <b className={`figure ${styles.sum}`}>{money(total, shared.currency)}</b>
          <div className="small quiet">
            {bulk.giftsOnAverage(ready.length, money(ready.length > 0 ? total / ready.length : 0, shared.currency))}
          </div>
          {budget && left !== null && (
            <div className={`small figure ${styles.budget}`} data-over={isOver || undefined} role="status">
              {isOver
                ? bulk.overBudget(money(-left, shared.currency), money(budget.available, shared.currency))
                : ready.length === 0
                  ? bulk.budgetOf(money(budget.available, shared.currency), budget.isOwn)
                  : bulk.budgetAfter(money(left, shared.currency), budget.isOwn)}
            </div>
          )}
        </div>
      </Bar>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={bulk.confirmTitle(ready.length)}
        keep={bulk.notYet}
        act={bulk.sendGifts(ready.length)}
        onAct={() => onSend(ready)}
        isDangerous={false}
      >
        <p>{bulk.confirmText(money(total, shared.currency))}</p>
        {behind > 0 && <p>{bulk.staysBehind(behind)}</p>}
      </Confirm>
    </>
  );
}

function testOf({ message, amount, reasonId, firstName, lastName }: GiftRow, shared: OpenSheet['shared']) {
  const { currency, language, deliverAt } = shared;
  const gift = { message, amount: amount ?? 0, currency, language, reasonId, firstName, lastName };
  return { ...gift, deliverAt: momentOf(deliverAt) };
}
