import type { CustomField } from '@giftwire/sdk';
import { Select, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CustomKind, customKinds } from '../../../../src/ground/values/custom-field.ts';
import { giftwire } from '../../data/client.ts';
import { fieldFaults } from '../../data/field-faults.ts';
import { useOpened, versionOf } from '../../data/version.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { tell } from '../../parts/tell.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { useWords } from '../../words/words.tsx';
import { keyOf } from './key-of.ts';

interface FormProps {
  /** Null: a field to add. */
  field: CustomField | null;
  isOpen: boolean;
  onClose: () => void;
}

const below: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

/** Adds a field, or changes its label and choices. Key and kind never change. */
export function FieldForm(props: FormProps) {
  const { field, isOpen } = props;
  if (!isOpen) return null;
  return field ? <OpenedForm {...props} field={field} /> : <OpenForm {...props} />;
}

function OpenedForm(props: FormProps & { field: CustomField }) {
  const { key } = props.field;
  const { data, error } = useOpened(['customFields', key], (options) => giftwire.customFields.retrieve(key, options));
  return data || error ? <OpenForm {...props} field={data ?? props.field} /> : null;
}

function OpenForm({ field, onClose }: FormProps) {
  const { customFields: words } = useWords();
  const queries = useQueryClient();
  const [ifMatch] = useState(() => versionOf(field));
  const [label, setLabel] = useState(field?.label ?? '');
  const [ownKey, setOwnKey] = useState<string | null>(field?.key ?? null);
  const [kind, setKind] = useState<CustomKind>(field?.kind ?? 'TEXT');
  const [lines, setLines] = useState((field?.choices ?? []).join('\n'));
  const key = ownKey ?? keyOf(label);
  const choices = kind === 'CHOICE' ? lines.split('\n').flatMap((line) => line.trim() || []) : [];
  const { error, isBusy, submit } = useSubmit(async () => {
    const changes = { label, ...(kind === 'CHOICE' && { choices }) };
    if (field) await giftwire.customFields.update(field.key, changes, { ifMatch });
    else await giftwire.customFields.create({ key, label, kind, choices });
    await queries.invalidateQueries({ queryKey: ['customFields'] });
    tell(words.saved(label));
    onClose();
  });
  const faults = fieldFaults(error, ['label', 'key', 'kind', 'choices']);
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={field ? words.editTitle(field.label) : words.addTitle}
      save={field ? words.save : words.add}
      onSave={submit}
      isSaving={isBusy}
      fault={faults.rest}
    >
      <TextInput
        label={words.label}
        value={label}
        onChange={({ target }) => setLabel(target.value)}
        error={faults.of('label')}
        maxLength={60}
        required
        data-autofocus
      />
      {field === null && (
        <>
          <TextInput
            label={words.key}
            description={words.keyHint}
            inputWrapperOrder={below}
            value={key}
            onChange={({ target }) => setOwnKey(target.value)}
            error={faults.of('key')}
            maxLength={40}
            required
          />
          <Select
            label={words.kind}
            data={customKinds.map((value) => ({ value, label: words.kinds[value] }))}
            value={kind}
            allowDeselect={false}
            onChange={(value) => setKind(value ?? 'TEXT')}
          />
        </>
      )}
      {kind === 'CHOICE' && (
        <Textarea
          label={words.choices}
          description={words.choicesHint}
          inputWrapperOrder={below}
          value={lines}
          onChange={({ target }) => setLines(target.value)}
          error={faults.of('choices')}
          autosize
          minRows={3}
          maxRows={10}
        />
      )}
    </FormDialog>
  );
}
