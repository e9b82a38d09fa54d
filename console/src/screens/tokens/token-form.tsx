import { MultiSelect, Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { fieldFaults } from '../../data/field-faults.ts';
import { useHere } from '../../data/me.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useOpening } from '../../parts/use-opening.ts';
import { useWords } from '../../words/words.tsx';

interface TokenFormProps {
  isOpen: boolean;
  onClose: () => void;
  onMade: (secret: string) => void;
  /** It begins with what an identity provider needs. */
  isForDirectory?: boolean;
}

interface Draft {
  name: string;
  scopes: string[];
  days: string;
}

const never = '0';
const blank: Draft = { name: '', scopes: [], days: '365' };

export function TokenForm({ isOpen, onClose, onMade, isForDirectory = false }: TokenFormProps) {
  const { tokens: words } = useWords();
  const own = useHere().workspace.scopes;
  const queries = useQueryClient();
  const [draft, setDraft] = useState(blank);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => giftwire.tokens.create(asToken(draft)),
    onSuccess: async ({ token }) => {
      onClose();
      onMade(token);
      await queries.invalidateQueries({ queryKey: ['tokens'] });
    },
  });
  useOpening(isOpen, () => {
    reset();
    setDraft(isForDirectory ? { ...blank, name: words.forDirectory, scopes: ['directory:write'] } : blank);
  });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const faults = fieldFaults(error, ['name', 'scopes']);
  const lifetimes = [
    ...[30, 90].map((days) => ({ value: String(days), label: words.days(days) })),
    { value: '365', label: words.year },
    { value: never, label: words.never },
  ];
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.add}
      save={words.save}
      onSave={mutate}
      isSaving={isPending}
      fault={faults.rest}
    >
      <TextInput
        label={words.name}
        description={words.nameHint}
        required
        maxLength={100}
        data-autofocus
        value={draft.name}
        error={faults.of('name')}
        onChange={({ target }) => change({ name: target.value })}
      />
      <MultiSelect
        label={words.may}
        description={words.mayHint}
        data={own.map((scope) => ({ value: scope, label: words.scopes[scope] ?? scope }))}
        searchable
        clearable
        value={draft.scopes}
        error={faults.of('scopes')}
        onChange={(scopes) => change({ scopes })}
      />
      <Select
        label={words.lasts}
        data={lifetimes}
        allowDeselect={false}
        value={draft.days}
        onChange={(days) => change({ days: days ?? never })}
      />
    </FormDialog>
  );
}

function asToken({ name, scopes, days }: Draft) {
  return {
    name,
    ...(scopes.length > 0 && { scopes }),
    ...(days !== never && { expiresInDays: Number(days) }),
  };
}
