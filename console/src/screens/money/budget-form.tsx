import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { fieldFaults } from '../../data/field-faults.ts';
import { useHere } from '../../data/me.tsx';
import { currencyChoices, usualCurrency } from '../../gift/terms.ts';
import { AmountInput } from '../../parts/amount-input.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { type Chosen, PersonField } from '../../parts/person-field.tsx';
import { tell } from '../../parts/tell.tsx';
import { useOpening } from '../../parts/use-opening.ts';
import { useWords } from '../../words/words.tsx';
import styles from './money.module.css';
import { lacksAllowance, newTermsOf, TermFields, type Terms, usualTerms } from './terms.tsx';

interface Draft extends Terms {
  isPersonal: boolean;
  person: Chosen | null;
  currency: string;
  amount: number | null;
  note: string;
}

/** Sets a budget for the workspace or for a sender. */
export function BudgetForm({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { money: words } = useWords();
  const { workspace } = useHere();
  const queries = useQueryClient();
  const currency = usualCurrency(workspace.id, workspace.language);
  const blank: Draft = { ...usualTerms, isPersonal: false, person: null, currency, amount: null, note: '' };
  const [draft, setDraft] = useState(blank);
  const [isTried, setTried] = useState(false);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => giftwire.budgets.create(asBudget(draft)),
    onSuccess: async () => {
      onClose();
      tell(words.set);
      await queries.invalidateQueries({ queryKey: ['budgets'] });
    },
  });
  useOpening(isOpen, () => {
    reset();
    setTried(false);
    setDraft(blank);
  });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const faults = fieldFaults(error, ['amount', 'note', 'giftLimit', 'allowance.amount', 'lowPercents', 'currency']);
  const lacksPerson = draft.isPersonal && draft.person === null;
  const save = () => {
    setTried(true);
    if (!lacksPerson && !lacksAllowance(draft)) mutate();
  };
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.add}
      cancel={words.cancel}
      save={words.save}
      onSave={save}
      isSaving={isPending}
      fault={faults.rest}
    >
      <SegmentedControl
        aria-label={words.forWhom}
        fullWidth
        value={draft.isPersonal ? 'person' : 'workspace'}
        data={[
          { value: 'workspace', label: words.forWorkspace },
          { value: 'person', label: words.forPerson },
        ]}
        onChange={(value) => change({ isPersonal: value === 'person' })}
      />
      {draft.isPersonal && (
        <PersonField
          label={words.person}
          value={draft.person}
          error={isTried && lacksPerson ? words.needsPerson : null}
          onChange={(person) => change({ person })}
        />
      )}
      <div className={styles.pair}>
        <AmountInput
          label={words.atOnce}
          value={draft.amount}
          currency={draft.currency}
          error={faults.of('amount')}
          onChange={(amount) => change({ amount })}
          data-autofocus
        />
        <Select
          label={words.currency}
          data={currencyChoices(draft.currency)}
          searchable
          allowDeselect={false}
          value={draft.currency}
          error={faults.of('currency')}
          onChange={(value) => value && change({ currency: value })}
        />
      </div>
      <TextInput
        label={words.note}
        description={words.noteHint}
        maxLength={200}
        value={draft.note}
        error={faults.of('note')}
        onChange={({ currentTarget }) => change({ note: currentTarget.value })}
      />
      <TermFields terms={draft} currency={draft.currency} change={change} faults={faults} isTried={isTried} />
    </FormDialog>
  );
}

function asBudget({ isPersonal, person, currency, amount, note, ...terms }: Draft) {
  return {
    currency,
    ...(isPersonal && person && { memberId: person.id }),
    ...(amount && { amount }),
    ...(amount && note.trim() && { note: note.trim() }),
    ...newTermsOf(terms),
  };
}
