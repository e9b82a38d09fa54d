import type { SpendingKind, SpendingOption } from '@giftwire/sdk';
import { MultiSelect, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { fieldFaults } from '../../data/field-faults.ts';
import { useHere } from '../../data/me.tsx';
import { currencyChoices, usualCurrency } from '../../gift/terms.ts';
import { AmountInput } from '../../parts/amount-input.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { tell } from '../../parts/tell.tsx';
import { useOpening } from '../../parts/use-opening.ts';
import { useWords } from '../../words/words.tsx';
import { PayrollColumns } from './payroll-columns.tsx';
import styles from './spending-options.module.css';

interface SpendingOptionFormProps {
  /** The spending option to change, 'new' for another one; null: closed. */
  option: SpendingOption | 'new' | null;
  spendingOptions: readonly SpendingOption[];
  kinds: readonly SpendingKind[];
  /** The kind that a new option begins with; null: the first. */
  newKind: SpendingKind['kind'] | null;
  /** Of the list that is shown. */
  version: string | undefined;
  onClose: () => void;
}

type Draft = Omit<SpendingOption, 'id'>;

const taxTypes = ['CASH', 'NEAR_CASH', 'NON_CASH'] as const;

/** A new option of a kind. */
function blankOf({ kind, defaults }: SpendingKind): Draft {
  return { kind, name: '', ...defaults };
}

/** Offers a spending option, or changes one. */
export function SpendingOptionForm({
  option,
  spendingOptions,
  kinds,
  newKind,
  version,
  onClose,
}: SpendingOptionFormProps) {
  const { spending: words } = useWords();
  const queries = useQueryClient();
  const choices = kinds.filter(({ canAdd }) => canAdd);
  const [draft, setDraft] = useState(() => blankOf(choices[0] as SpendingKind));
  const isNew = option === 'new';
  const [ifMatch, setIfMatch] = useState(version);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () =>
      giftwire.spendingOptions.update(
        isNew ? idOf(draft.name, spendingOptions) : (option as SpendingOption).id,
        draft,
        { ifMatch },
      ),
    onSuccess: async () => {
      onClose();
      tell(words.saved);
      await queries.invalidateQueries({ queryKey: ['spendingOptions'] });
    },
  });
  useOpening(option, (opened) => {
    reset();
    setIfMatch(version);
    const position = Math.max(0, ...spendingOptions.map((one) => one.position + 1));
    const first = choices.find((one) => one.kind === newKind) ?? choices[0];
    setDraft(opened === 'new' ? { ...blankOf(first as SpendingKind), position } : withoutId(opened));
  });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const fields = ['name', 'description', 'currencies', 'minAmount', 'maxAmount', 'link', 'poolId'];
  const faults = fieldFaults(error, fields);
  const { kind } = draft;
  const own = kinds.find((one) => one.kind === kind);
  return (
    <FormDialog
      isOpen={option !== null}
      onClose={onClose}
      title={isNew ? words.add : words.change}
      onSave={mutate}
      isSaving={isPending}
      fault={faults.rest}
    >
      {isNew && (
        <Select
          label={words.kind}
          description={words.kindTexts[kind]}
          data={choices.map((one) => ({ value: one.kind, label: words.kinds[one.kind] }))}
          allowDeselect={false}
          value={kind}
          onChange={(value) => {
            const chosen = choices.find((one) => one.kind === value);
            if (chosen) change({ kind: chosen.kind, taxType: chosen.defaults.taxType, link: null, poolId: null });
          }}
        />
      )}
      <TextInput
        label={words.name}
        description={words.nameHint}
        required
        maxLength={100}
        data-autofocus
        value={draft.name}
        error={faults.of('name')}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <Textarea
        label={words.description}
        maxLength={500}
        autosize
        minRows={2}
        value={draft.description}
        error={faults.of('description')}
        onChange={({ currentTarget }) => change({ description: currentTarget.value })}
      />
      {own?.setting === 'poolId' && (
        <PoolField value={draft.poolId} error={faults.of('poolId')} onChange={(poolId) => change({ poolId })} />
      )}
      {own?.setting === 'link' && (
        <TextInput
          label={words.link}
          description={words.linkHint}
          placeholder="https://"
          maxLength={1_000}
          value={draft.link ?? ''}
          error={faults.of('link')}
          onChange={({ currentTarget }) => change({ link: currentTarget.value.trim() || null })}
        />
      )}
      <CurrencyField
        value={draft.currencies}
        error={faults.of('currencies')}
        onChange={(currencies) => change({ currencies })}
      />
      <div className={styles.pair}>
        <AmountInput
          label={words.least}
          description={words.noLimit}
          value={draft.minAmount}
          currency={null}
          error={faults.of('minAmount')}
          onChange={(minAmount) => change({ minAmount })}
        />
        <AmountInput
          label={words.most}
          description={words.noLimit}
          value={draft.maxAmount}
          currency={null}
          error={faults.of('maxAmount')}
          onChange={(maxAmount) => change({ maxAmount })}
        />
      </div>
      <Switch
        label={words.allowsParts}
        checked={draft.allowsParts}
        onChange={({ currentTarget }) => change({ allowsParts: currentTarget.checked })}
      />
      <Select
        label={words.taxType}
        description={words.taxTypeHint}
        data={taxTypes.map((value) => ({ value, label: words.taxTypes[value] }))}
        allowDeselect={false}
        value={draft.taxType}
        onChange={(value) => value && change({ taxType: value as SpendingOption['taxType'] })}
      />
      {own?.usualColumns && (
        <PayrollColumns columns={draft.columns} usual={own.usualColumns} onChange={(columns) => change({ columns })} />
      )}
    </FormDialog>
  );
}

function withoutId({ id: _id, ...option }: SpendingOption): Draft {
  return option;
}

/** A word for the spending option, of its name. Names that say the same get a number. */
function idOf(name: string, spendingOptions: readonly SpendingOption[]): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const word =
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 32)
      .replace(/^-+|-+$/g, '') || 'option';
  const taken = new Set(spendingOptions.map(({ id }) => id));
  for (let nth = 1; ; nth++) {
    const id = nth === 1 ? word : `${word}-${nth}`;
    if (!taken.has(id)) return id;
  }
}

interface FieldProps<Value> {
  value: Value;
  error: string | undefined;
  onChange: (value: Value) => void;
}

function PoolField({ value, error, onChange }: FieldProps<number | null>) {
  const { spending: words } = useWords();
  const { data = [] } = useQuery({ queryKey: ['pools'], queryFn: ({ signal }) => giftwire.pools.list({ signal }) });
  return (
    <Select
      label={words.pool}
      description={data.length === 0 ? words.noPool : undefined}
      required
      data={data.map(({ id, name, currency }) => ({ value: String(id), label: `${name} (${currency})` }))}
      value={value === null ? null : String(value)}
      error={error}
      onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
    />
  );
}

function CurrencyField({ value, error, onChange }: FieldProps<string[] | null>) {
  const { spending: words } = useWords();
  const { workspace } = useHere();
  return (
    <MultiSelect
      label={words.currencies}
      placeholder={value === null ? words.allCurrencies : ''}
      data={currencyChoices(usualCurrency(workspace.id, workspace.language))}
      searchable
      clearable
      value={value ?? []}
      error={error}
      onChange={(chosen) => onChange(chosen.length === 0 ? null : chosen)}
    />
  );
}
