import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Section } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useWords } from '../../words/words.tsx';
import { useFieldNames } from './field-names.ts';
import { type Choices, withoutValue, withValue } from './import-choices.ts';

interface ValuesProps {
  /** The fields that the file has. */
  fields: readonly string[];
  choices: Choices;
  onChoices: (choices: Choices) => void;
}

interface Replacement {
  field: string;
  text: string;
  meaning: string;
}

/** Texts of the file that mean another one, such as YUL for Montréal. */
export function ImportValues({ fields, choices, onChoices }: ValuesProps) {
  const { questions: words } = useWords().people.importing;
  const names = useFieldNames();
  const labelOf = (field: string) => names[field] ?? field;
  const [draft, setDraft] = useState<Replacement>({ field: fields[0] ?? '', text: '', meaning: '' });
  const rows = Object.entries(choices.value).flatMap(([field, texts]) =>
    Object.entries(texts).map(([text, meaning]) => ({ field, text, meaning })),
  );
  const columns: Column<Replacement>[] = [
    { key: 'field', head: words.field, cell: ({ field }) => labelOf(field) },
    { key: 'text', head: words.inFile, cell: ({ text }) => <b>{text}</b> },
    { key: 'meaning', head: words.means, cell: ({ meaning }) => meaning },
    {
      key: 'act',
      head: words.remove,
      hidesHead: true,
      cell: ({ field, text }) => (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => onChoices({ ...choices, value: withoutValue(choices.value, field, text) })}
        >
          {words.remove}
        </Button>
      ),
    },
  ];
  const add = (event: FormEvent) => {
    event.preventDefault();
    onChoices({ ...choices, value: withValue(choices.value, draft.field, draft.text.trim(), draft.meaning.trim()) });
  };
  return (
    <Section title={words.values} beside={words.valuesText}>
      {rows.length > 0 && (
        <Table label={words.values} columns={columns} rows={rows} rowKey={({ field, text }) => `${field} ${text}`} />
      )}
      <form onSubmit={add}>
        <Group align="end" mt={12}>
          <NativeSelect
            label={words.field}
            value={draft.field}
            data={fields.map((value) => ({ value, label: labelOf(value) }))}
            onChange={({ target }) => setDraft({ ...draft, field: target.value })}
          />
          <TextInput
            label={words.inFile}
            value={draft.text}
            maxLength={200}
            onChange={({ target }) => setDraft({ ...draft, text: target.value })}
          />
          <TextInput
            label={words.means}
            value={draft.meaning}
            maxLength={200}
            onChange={({ target }) => setDraft({ ...draft, meaning: target.value })}
          />
          <Button type="submit" disabled={draft.text.trim() === '' || draft.field === ''}>
            {words.replace}
          </Button>
        </Group>
      </form>
    </Section>
  );
}
