import type { Budget } from '@giftwire/sdk';
import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { fieldFaults } from '../../data/field-faults.ts';
import { randomId } from '../../data/random-id.ts';
import { versionOf } from '../../data/version.ts';
import { AmountInput } from '../../parts/amount-input.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { tell } from '../../parts/tell.tsx';
import { useOpening } from '../../parts/use-opening.ts';
import { useFormats, useWords } from '../../words/words.tsx';
import { changeOf, lacksAllowance, TermFields, termsOf } from './terms.tsx';

/** What can be done with an open budget. */
export function BudgetActions({ budget }: { budget: Budget }) {
  const { money: words } = useWords();
  const { money } = useFormats();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'grant' | 'withdraw' | 'change' | 'close' | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <Button onClick={() => setDialog('grant')}>{words.grant}</Button>
      <Button onClick={() => setDialog('withdraw')}>{words.withdraw}</Button>
      <Button onClick={() => setDialog('change')}>{words.change}</Button>
      <Button variant="subtle" color="red" onClick={() => setDialog('close')}>
        {words.close}
      </Button>
      <MoveDialog budget={budget} move="grant" isOpen={dialog === 'grant'} onClose={close} />
      <MoveDialog budget={budget} move="withdraw" isOpen={dialog === 'withdraw'} onClose={close} />
      <TermsDialog budget={budget} isOpen={dialog === 'change'} onClose={close} />
      <Confirm
        isOpen={dialog === 'close'}
        onClose={close}
        title={words.closeTitle}
        act={words.close}
        onAct={async () => {
          await giftwire.budgets.delete(budget.id);
          await queries.invalidateQueries({ queryKey: ['budgets'] });
          tell(words.closedNow);
        }}
      >
        {words.closeText(money(budget.available, budget.currency))}
      </Confirm>
    </>
  );
}

interface DialogProps {
  budget: Budget;
  isOpen: boolean;
  onClose: () => void;
}

/** Grants or withdraws money. The opposite move is its undo, and an entry of the ledger too. */
function MoveDialog({ budget, move, isOpen, onClose }: DialogProps & { move: 'grant' | 'withdraw' }) {
  const { money: words } = useWords();
  const { money } = useFormats();
  const queries = useQueryClient();
  const { id, currency, available } = budget;
  const [amount, setAmount] = useState<number | null>(null);
  const [note, setNote] = useState('');
  const [isTried, setTried] = useState(false);
  // Pressing the button again after a lost answer is the same request.
  const [idempotencyKey, setKey] = useState('');
  const refresh = () => queries.invalidateQueries({ queryKey: ['budgets'] });
  const takeBack = async (moved: number) => {
    await giftwire.budgets[move === 'grant' ? 'withdraw' : 'grant'](id, { amount: moved, note: words.undoOf });
    await refresh();
    tell(words.undone);
  };
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (moved: number) =>
      giftwire.budgets[move](id, { amount: moved, ...(note.trim() && { note: note.trim() }) }, { idempotencyKey }),
    onSuccess: async (_entry, moved) => {
      onClose();
      await refresh();
      const text = (move === 'grant' ? words.grantedNow : words.withdrawnNow)(money(moved, currency));
      tell(text, { label: words.undo, run: () => void takeBack(moved).catch(refresh) });
    },
  });
  useOpening(isOpen, () => {
    reset();
    setTried(false);
    setAmount(null);
    setNote('');
    setKey(`console-${randomId()}`);
  });
  const faults = fieldFaults(error, ['amount', 'note']);
  const lacksAmount = amount === null || amount <= 0;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={move === 'grant' ? words.grantTitle : words.withdrawTitle}
      save={words[move]}
      onSave={() => {
        setTried(true);
        if (!lacksAmount) mutate(amount);
      }}
      isSaving={isPending}
      fault={faults.rest}
    >
      <p className="second">{move === 'grant' ? words.grantText : words.withdrawText(money(available, currency))}</p>
      <AmountInput
        label={`${words.amount} (${currency})`}
        value={amount}
        currency={currency}
        error={faults.of('amount') ?? (isTried && lacksAmount ? words.needsAmount : undefined)}
        onChange={setAmount}
        data-autofocus
      />
      <TextInput
        label={words.note}
        description={words.noteHint}
        maxLength={200}
        value={note}
        error={faults.of('note')}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </FormDialog>
  );
}

function TermsDialog({ budget, isOpen, onClose }: DialogProps) {
  const { money: words } = useWords();
  const queries = useQueryClient();
  /** As the form shows it, also when the budget is read again meanwhile. */
  const [opened, setOpened] = useState(budget);
  const [terms, setTerms] = useState(() => termsOf(budget));
  const [isTried, setTried] = useState(false);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () =>
      giftwire.budgets.update(opened.id, changeOf(terms, termsOf(opened)), { ifMatch: versionOf(opened) }),
    onSuccess: () => {
      onClose();
      tell(words.changed);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['budgets'] }),
  });
  useOpening(isOpen, () => {
    reset();
    setTried(false);
    setOpened(budget);
    setTerms(termsOf(budget));
  });
  const faults = fieldFaults(error, ['giftLimit', 'allowance.amount', 'lowPercents', 'personCap', 'lapses']);
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.changeTitle}
      onSave={() => {
        setTried(true);
        if (!lacksAllowance(terms)) mutate();
      }}
      isSaving={isPending}
      fault={faults.rest}
    >
      <TermFields
        terms={terms}
        currency={budget.currency}
        change={(part) => setTerms((before) => ({ ...before, ...part }))}
        faults={faults}
        isTried={isTried}
        isShared={budget.kind !== 'MEMBER'}
      />
    </FormDialog>
  );
}
