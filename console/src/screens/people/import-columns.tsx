import type { ImportResult } from '@giftwire/sdk';
import { NativeSelect } from '@mantine/core';
import { useCustomFields } from '../../data/custom-fields.ts';
import { useCan } from '../../data/me.tsx';
import { Go } from '../../parts/link.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { useFieldNames } from './field-names.ts';
import styles from './import.module.css';
import type { Choices } from './import-choices.ts';

interface ColumnsProps {
  result: ImportResult;
  choices: Choices;
  /** Other choices are checked again at once. */
  onChoices: (choices: Choices) => void;
}

interface Row {
  header: string;
  field: string;
  seen: ImportResult['values'][number] | undefined;
}

/** How each column was read, with the first of its values as they will be stored: dates in words, so that a wrong one is seen. */
export function ImportColumns({ result, choices, onChoices }: ColumnsProps) {
  const { people, parts } = useWords();
  const { importing: words } = people;
  const names = useFieldNames();
  const shown = useShown();
  const can = useCan();
  const seenIn = new Map(result.values.map((one) => [one.field, one]));
  const read = Object.entries(result.columns).map(([field, header]) => ({ header, field, seen: seenIn.get(field) }));
  const left = [...result.notUnderstood, ...result.superseded].map((header) => ({
    header,
    field: '',
    seen: undefined,
  }));
  const all = result.rows - result.rejected;
  const columns: Column<Row>[] = [
    { key: 'header', head: words.column, cell: ({ header }) => <b>{header}</b> },
    {
      key: 'field',
      head: words.field,
      cell: ({ header, field }) => (
        <NativeSelect
          aria-label={`${words.field}${parts.colon}${header}`}
          value={field}
          data={[
            { value: '', label: words.ignore },
            ...Object.entries(names).map(([value, label]) => ({ value, label })),
          ]}
          onChange={({ target }) => onChoices({ ...choices, map: { ...choices.map, [header]: target.value || null } })}
        />
      ),
    },
    {
      key: 'values',
      head: words.firstValues,
      cell: ({ field, seen }) =>
        seen && (
          <div className={styles.values}>
            {seen.examples.map((text) => shown(field, text)).join(' · ')}
            {seen.rows < all && <p className="quiet small">{words.filled(seen.rows, all)}</p>}
          </div>
        ),
    },
  ];
  return (
    <Section
      title={words.columns}
      beside={
        left.length > 0 &&
        can('settings:manage') && (
          <>
            {words.keepOthers} <Go to="/settings/fields">{words.addField}</Go>
          </>
        )
      }
    >
      <Table label={words.columns} columns={columns} rows={[...read, ...left]} rowKey={({ header }) => header} />
    </Section>
  );
}

const dateFields = new Set(['hireDate', 'leavingDate', 'leaveStartsOn', 'leaveEndsOn']);

/** A value as people write it. */
function useShown() {
  const { people } = useWords();
  const { questions } = people.importing;
  const { day, monthDay } = useFormats();
  const { data: custom = [] } = useCustomFields();
  return (field: string, text: string): string => {
    if (field === 'status' || field === 'active') return text === 'left' ? questions.left : questions.active;
    if (field === 'birthday') return monthDay(text);
    const isCustomDate = custom.some((one) => `custom.${one.key}` === field && one.kind === 'DATE');
    return dateFields.has(field) || isCustomDate ? day(text) : text;
  };
}
