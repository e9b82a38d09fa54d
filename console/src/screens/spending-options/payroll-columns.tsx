import type { PayrollColumn, PayrollField } from '@giftwire/sdk';
import { ActionIcon, Button, Input, Select, Switch, TextInput } from '@mantine/core';
import { Icon } from '../../parts/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './spending-options.module.css';

const sameText = 'text';

interface PayrollColumnsProps {
  /** Null: the usual ones. */
  columns: PayrollColumn[] | null;
  usual: readonly PayrollColumn[];
  onChange: (columns: PayrollColumn[] | null) => void;
}

/** Which columns the file for payroll has: what their header says, and what they hold. */
export function PayrollColumns({ columns, usual, onChange }: PayrollColumnsProps) {
  const { spending: words } = useWords();
  const start = () =>
    onChange(usual.map(({ header, field }) => ({ header: field ? words.fields[field] : header, field })));
  const set = (at: number, column: PayrollColumn) => columns && onChange(columns.with(at, column));
  return (
    <Input.Wrapper label={words.columns} description={words.columnsHint}>
      <Switch
        mt={8}
        mb={8}
        label={words.ownColumns}
        checked={columns !== null}
        onChange={({ currentTarget }) => (currentTarget.checked ? start() : onChange(null))}
      />
      {columns && (
        <div className={styles.columns}>
          {columns.map((column, at) => (
            <ColumnRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a column has no identity but its place
              key={at}
              column={column}
              nth={at + 1}
              onChange={(changed) => set(at, changed)}
              onRemove={columns.length > 1 ? () => onChange(columns.toSpliced(at, 1)) : null}
            />
          ))}
          <div>
            <Button
              size="compact-sm"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => onChange([...columns, { header: '', text: '' }])}
            >
              {words.addColumn}
            </Button>
          </div>
        </div>
      )}
    </Input.Wrapper>
  );
}

interface ColumnRowProps {
  column: PayrollColumn;
  nth: number;
  onChange: (column: PayrollColumn) => void;
  onRemove: (() => void) | null;
}

function ColumnRow({ column: { header, field, text }, nth, onChange, onRemove }: ColumnRowProps) {
  const { spending: words } = useWords();
  const choices = [
    ...Object.entries(words.fields).map(([value, label]) => ({ value, label })),
    { value: sameText, label: words.sameText },
  ];
  return (
    <div className={styles.column}>
      <TextInput
        aria-label={words.columnHeader(nth)}
        placeholder={words.header}
        required
        maxLength={100}
        value={header}
        onChange={({ currentTarget }) =>
          onChange({ header: currentTarget.value, ...(field ? { field } : { text: text ?? '' }) })
        }
      />
      <Select
        aria-label={words.columnField(nth)}
        data={choices}
        allowDeselect={false}
        value={field ?? sameText}
        onChange={(value) =>
          onChange(value === sameText || !value ? { header, text: '' } : { header, field: value as PayrollField })
        }
      />
      {onRemove && (
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={words.removeColumn(nth)} onClick={onRemove}>
          <Icon name="close" size={16} />
        </ActionIcon>
      )}
      {field === undefined && (
        <TextInput
          aria-label={words.columnText(nth)}
          placeholder={words.sameText}
          maxLength={100}
          value={text ?? ''}
          onChange={({ currentTarget }) => onChange({ header, text: currentTarget.value })}
        />
      )}
    </div>
  );
}
