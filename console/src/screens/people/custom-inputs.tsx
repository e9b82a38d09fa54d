import type { CustomField, Member } from '@giftwire/sdk';
import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { DateField } from '../../parts/date-field.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './people.module.css';

/** What the form has for each field: a text, empty without a value. */
export type CustomTexts = Readonly<Record<string, string>>;

interface InputsProps {
  fields: readonly CustomField[];
  texts: CustomTexts;
  onText: (key: string, text: string) => void;
  problem: (name: string) => string | null;
}

/** The custom fields of a person, in the form that adds and changes one. */
export function CustomInputs({ fields, texts, onText, problem }: InputsProps) {
  const { screens } = useWords();
  if (fields.length === 0) return null;
  return (
    <>
      <h3 className={styles.group}>{screens.customFields}</h3>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16}>
        {fields.map((field) => (
          <CustomInput
            key={field.key}
            field={field}
            text={texts[field.key] ?? ''}
            onText={(text) => onText(field.key, text)}
            error={problem(`custom\\.${field.key}`)}
          />
        ))}
      </SimpleGrid>
    </>
  );
}

interface InputProps {
  field: CustomField;
  text: string;
  onText: (text: string) => void;
  error: string | null;
}

function CustomInput({ field: { label, kind, choices }, text, onText, error }: InputProps) {
  const common = { label, error, value: text };
  if (kind === 'CHOICE')
    return (
      <Select
        {...common}
        value={text || null}
        data={choices}
        searchable
        clearable
        onChange={(value) => onText(value ?? '')}
      />
    );
  if (kind === 'DATE') return <DateField {...common} onDay={(day, typed) => onText(day ?? typed)} />;
  return (
    <TextInput
      {...common}
      {...(kind === 'NUMBER' ? { inputMode: 'decimal' as const } : { maxLength: 200 })}
      onChange={({ target }) => onText(target.value)}
    />
  );
}

export function customTextsOf(member: Member | null): CustomTexts {
  return Object.fromEntries(Object.entries(member?.custom ?? {}).map(([key, value]) => [key, String(value)]));
}

/** What differs from the person's values. A number that cannot be read is sent as it was typed, so that the service says what is wrong. */
export function customChangeOf(member: Member | null, fields: readonly CustomField[], texts: CustomTexts) {
  const before = customTextsOf(member);
  const changed = fields.filter(({ key }) => (texts[key] ?? '').trim() !== (before[key] ?? ''));
  return Object.fromEntries(
    changed.map(({ key, kind }) => {
      const text = (texts[key] ?? '').trim();
      const isNumber = kind === 'NUMBER' && /^-?\d+([.,]\d+)?$/.test(text);
      return [key, text === '' ? null : isNumber ? Number(text.replace(',', '.')) : text];
    }),
  );
}
