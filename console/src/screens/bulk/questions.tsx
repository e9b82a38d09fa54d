import { Select } from '@mantine/core';
import { Section } from '../../parts/page.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './bulk.module.css';
import type { Field } from './file/headers.ts';
import type { Question } from './file/rows.ts';
import type { DateOrder } from './file/when.ts';
import type { OpenSheet } from './use-sheet.ts';

/** What has to be known about the file as a whole before its rows can be checked. Each is asked once. */
export function Questions({ open }: { open: OpenSheet }) {
  const { bulk } = useWords();
  return (
    <Section title={bulk.questions.title}>
      <div className={`box ${styles.questions}`} role="alert">
        {open.questions.map((question) =>
          question === 'dateOrder' ? (
            <DateQuestion key={question} open={open} />
          ) : (
            <ColumnQuestion key={question} question={question} open={open} />
          ),
        )}
      </div>
    </Section>
  );
}

function ColumnQuestion({ question, open }: { question: Exclude<Question, 'dateOrder'>; open: OpenSheet }) {
  const { bulk, parts } = useWords();
  const { number } = useFormats();
  const { sheet, mapping, map } = open;
  if (!sheet) return null;
  const exampleOf = (column: number) => sheet.rows.find(({ cells }) => cells[column]?.trim())?.cells[column] ?? '';
  const free = sheet.header.flatMap((name, column) => {
    const title = name || bulk.noName(number(column + 1));
    const example = exampleOf(column).slice(0, 60);
    return mapping[column]
      ? []
      : [{ value: String(column), label: example ? `${title}${parts.colon}${example}` : title }];
  });
  const fieldOf = (column: number): Field =>
    question === 'person' ? (exampleOf(column).includes('@') ? 'email' : 'employeeNumber') : question;
  return (
    <Select
      label={bulk.questions[question]}
      description={bulk.questions.hints[question]}
      placeholder={bulk.questions.choose}
      value={null}
      data={free}
      onChange={(value) => value !== null && map(Number(value), fieldOf(Number(value)))}
    />
  );
}

function DateQuestion({ open: { share } }: { open: OpenSheet }) {
  const { bulk } = useWords();
  const { dateOrder, dayFirst, monthFirst, choose } = bulk.questions;
  return (
    <Select
      label={dateOrder}
      placeholder={choose}
      value={null}
      data={[
        { value: 'dayFirst', label: dayFirst },
        { value: 'monthFirst', label: monthFirst },
      ]}
      onChange={(value) => share({ dateOrder: value as DateOrder })}
    />
  );
}
