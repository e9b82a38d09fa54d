import type { Gift } from '@giftwire/sdk';
import { Button, CloseButton, Group, Progress } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { printAddress } from '../../data/download.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { faultText } from '../../parts/fault.tsx';
import { Go } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import { Bar } from '../../parts/page.tsx';
import { tell } from '../../parts/tell.tsx';
import { useWords } from '../../words/words.tsx';
import { ExtendDialog } from './dialogs.tsx';
import styles from './gifts.module.css';
import { type Outcome, useMany } from './many.ts';

interface SelectionProps {
  selected: readonly Gift[];
  onClear: () => void;
  /** The table. */
  children: ReactNode;
}

type Verb = 'resend' | 'extend' | 'cancel';

/** What can be done with the gifts that were picked, and what became of it: faults stand above the table, by gift. */
export function GiftSelection({ selected, onClear, children }: SelectionProps) {
  const { gifts } = useWords();
  const { outcome, run, clear } = useMany<Gift>(['gifts', 'reports']);
  const [dialog, setDialog] = useState<'extend' | 'cancel' | null>(null);
  const close = () => setDialog(null);
  const act = async (verb: Verb, work: (gift: Gift) => Promise<unknown>) => {
    close();
    const { done, faults } = await run(selected, work);
    if (done > faults.length) tell(gifts.done[verb](done - faults.length));
    onClear();
  };
  const isBusy = outcome !== null && !outcome.isOver;
  return (
    <>
      {outcome?.isOver && outcome.faults.length > 0 && <NotDone outcome={outcome} onClose={clear} />}
      {children}
      {(selected.length > 0 || isBusy) && (
        <Bar
          label={gifts.selection}
          actions={
            <>
              <Button disabled={isBusy} onClick={() => void act('resend', ({ id }) => giftwire.gifts.resend(id))}>
                {gifts.resend}
              </Button>
              <Button disabled={isBusy} onClick={() => setDialog('extend')}>
                {gifts.extend}
              </Button>
              <Button
                component="a"
                href={printAddress({ ids: selected.map(({ id }) => id).join(',') })}
                target="_blank"
              >
                {gifts.print}
              </Button>
              <Button variant="subtle" color="red" disabled={isBusy} onClick={() => setDialog('cancel')}>
                {gifts.cancelMany(selected.length)}
              </Button>
            </>
          }
        >
          {isBusy ? (
            <Group gap={12}>
              <Progress w={140} value={(100 * outcome.done) / outcome.total} aria-label={gifts.selection} />
              <span className="figure">{gifts.working(outcome.done, outcome.total)}</span>
            </Group>
          ) : (
            <>
              <b>{gifts.selected(selected.length)}</b>
              <Button size="compact-sm" variant="subtle" onClick={onClear}>
                {gifts.clear}
              </Button>
            </>
          )}
        </Bar>
      )}
      <ExtendDialog
        isOpen={dialog === 'extend'}
        onClose={close}
        onExtend={(expiresOn) => act('extend', ({ id }) => giftwire.gifts.extend(id, { expiresOn }))}
      />
      <Confirm
        isOpen={dialog === 'cancel'}
        onClose={close}
        title={gifts.cancelManyTitle(selected.length)}
        keep={gifts.keep}
        act={gifts.cancelMany(selected.length)}
        onAct={() => act('cancel', ({ id }) => giftwire.gifts.cancel(id))}
      >
        {gifts.cancelManyText}
      </Confirm>
    </>
  );
}

function NotDone({ outcome, onClose }: { outcome: Outcome<Gift>; onClose: () => void }) {
  const { gifts, parts } = useWords();
  return (
    <section className={styles.outcome} role="alert">
      <Group justify="space-between" wrap="nowrap">
        <b>{gifts.notDone(outcome.faults.length)}</b>
        <CloseButton aria-label={parts.close} onClick={onClose} />
      </Group>
      <ul>
        {outcome.faults.map(({ item, error }) => (
          <li key={item.id}>
            <Go to={`/gifts/${item.id}`}>{nameOf(item.recipient)}</Go>: {faultText(error, parts)}
          </li>
        ))}
      </ul>
    </section>
  );
}
