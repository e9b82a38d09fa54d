import { Checkbox, Select, Textarea } from '@mantine/core';
import { useHere } from '../../data/me.tsx';
import { currencyChoices, languageChoices } from '../../gift/terms.ts';
import { WhenField } from '../../gift/when-field.tsx';
import { AmountInput } from '../../parts/amount-input.tsx';
import { Section } from '../../parts/page.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './bulk.module.css';
import { type Field, fields } from './file/headers.ts';
import type { OpenSheet } from './use-sheet.ts';

/** What the columns of the file are, and what its gifts have in common. */
export function Columns({ open }: { open: OpenSheet }) {
  const { bulk } = useWords();
  const { number } = useFormats();
  const { sheet, mapping, map, setHeader } = open;
  const found = mapping.filter(Boolean).length;
  const choices = [
    { value: '', label: bulk.leaveOutColumn },
    ...fields.map((field) => ({ value: field, label: bulk.fields[field] })),
  ];
  return (
    <Section title={bulk.columns} beside={bulk.columnsFound(number(found), number(mapping.length))}>
      <div className={`box ${styles.scroll}`}>
        <ul className={styles.map}>
          {sheet?.header.map((name, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name, and none moves
            <li key={column} data-off={mapping[column] === null || undefined}>
              <Select
                label={name || bulk.noName(number(column + 1))}
                description={sheet.rows.find(({ cells }) => cells[column])?.cells[column] ?? '…'}
                value={mapping[column] ?? ''}
                onChange={(value) => map(column, (value || null) as Field | null)}
                data={choices}
                allowDeselect={false}
              />
            </li>
          ))}
        </ul>
      </div>
      <Checkbox
        mt={14}
        label={bulk.firstRowNames}
        checked={sheet?.hasHeader ?? true}
        onChange={({ currentTarget }) => setHeader(currentTarget.checked)}
      />
      <SharedFields open={open} />
    </Section>
  );
}

function SharedFields({ open: { mapping, shared, share, checked } }: { open: OpenSheet }) {
  const { bulk, send } = useWords();
  const { locale } = useFormats();
  const { workspace } = useHere();
  const isDateWrong = checked.general.some((text) => text.startsWith('deliverAt'));
  return (
    <div className={styles.shared}>
      {!mapping.includes('amount') && (
        <AmountInput
          label={bulk.sameAmount}
          value={shared.amount}
          currency={shared.currency}
          onChange={(amount) => share({ amount })}
        />
      )}
      <Select
        label={mapping.includes('currency') ? bulk.otherCurrency : send.currency}
        value={shared.currency}
        onChange={(value) => value && share({ currency: value })}
        data={currencyChoices(shared.currency)}
        searchable
        allowDeselect={false}
      />
      <Select
        label={mapping.includes('language') ? bulk.otherLanguage : send.language}
        value={shared.language}
        onChange={(value) => value && share({ language: value })}
        data={languageChoices(workspace.language, locale)}
        allowDeselect={false}
      />
      <WhenField
        {...(mapping.includes('deliverAt') && { label: bulk.otherWhen })}
        deliverAt={shared.deliverAt}
        onChange={(deliverAt) => share({ deliverAt })}
        fault={isDateWrong ? send.needsDate : null}
      />
      <div className={styles.sharedMessage}>
        <Textarea
          label={mapping.includes('message') ? bulk.fallbackMessage : bulk.sameMessage}
          placeholder={send.messagePlaceholder}
          autosize
          minRows={2}
          maxRows={8}
          value={shared.message}
          onChange={({ currentTarget }) => share({ message: currentTarget.value })}
        />
      </div>
    </div>
  );
}
