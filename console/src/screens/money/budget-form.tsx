import { Select, TextInput } from '@mantine/core';
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

const owners = ['workspace', 'person', 'team', 'costCentre', 'department'] as const;

interface Draft extends Terms {
  owner: (typeof owners)[number];
  person: Chosen | null;
  /** Of the team, cost centre or department. */
  group: string;
  currency: string;
  amount: number | null;
  note: string;
}

/** Sets a budget for the workspace, for a sender, or for people who share it. */
export function BudgetForm({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { money: words } = useWords();
  const { workspace } = useHere();
  const queries = useQueryClient();
  const currency = usualCurrency(workspace.id, workspace.language);
  const blank: Draft = { ...usualTerms, owner: 'workspace', person: null, group: '', currency, amount: null, note: '' };
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
  const faults = fieldFaults(error, faultPaths);
  const { owner } = draft;
  const isGroup = owner !== 'workspace' && owner !== 'person';
  const lacksPerson = owner === 'person' && draft.person === null;
  const lacksName = isGroup && draft.group.trim() === '';
  const ownerLabels = {
    workspace: words.forWorkspace,
    person: words.forPerson,
    team: words.forTeam,
    costCentre: words.forCostCentre,
    department: words.forDepartment,
  };
  const groupLabels = { team: words.teamName, costCentre: words.costCentreName, department: words.departmentName };
  const save = () => {
    setTried(true);
    if (!lacksPerson && !lacksName && !lacksAllowance(draft)) mutate();
  };
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.add}
      onSave={save}
      isSaving={isPending}
      fault={faults.rest}
    >
      <Select
        label={words.forWhom}
        data={owners.map((value) => ({ value, label: ownerLabels[value] }))}
        allowDeselect={false}
        value={owner}
        onChange={(value) => value && change({ owner: value as Draft['owner'] })}
      />
      {owner === 'person' && (
        <PersonField
          label={words.person}
          value={draft.person}
          error={isTried && lacksPerson ? words.needsPerson : null}
          onChange={(person) => change({ person })}
        />
      )}
      {isGroup && (
        <TextInput
          label={groupLabels[owner]}
          description={words.groupHint}
          maxLength={200}
          value={draft.group}
          error={faults.of(owner) ?? (isTried && lacksName ? words.needsName : undefined)}
          onChange={({ currentTarget }) => change({ group: currentTarget.value })}
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
      <TermFields
        terms={draft}
        currency={draft.currency}
        change={change}
        faults={faults}
        isTried={isTried}
        isShared={owner !== 'person'}
      />
    </FormDialog>
  );
}

const faultPaths = [
  'amount',
  'note',
  'giftLimit',
  'allowance.amount',
  'lowPercents',
  'currency',
  'team',
  'costCentre',
  'department',
  'personCap',
  'lapses',
];

function asBudget({ owner, person, group, currency, amount, note, personCap, ...terms }: Draft) {
  return {
    currency,
    ...(owner === 'person' && person && { memberId: person.id }),
    ...(owner !== 'workspace' && owner !== 'person' && { [owner]: group.trim() }),
    ...(amount && { amount }),
    ...(amount && note.trim() && { note: note.trim() }),
    ...newTermsOf({ ...terms, personCap: owner === 'person' ? null : personCap }),
  };
}
