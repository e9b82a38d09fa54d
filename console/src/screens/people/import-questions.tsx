import type { ImportManager, ImportNumber, ImportResult, ImportText } from '@giftwire/sdk';
import { Button, Group, NativeSelect } from '@mantine/core';
import { Icon } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import { Section } from '../../parts/page.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useWords } from '../../words/words.tsx';
import { useFieldNames } from './field-names.ts';
import styles from './import.module.css';
import { type Choices, withValue } from './import-choices.ts';
import { ImportDates } from './import-dates.tsx';

interface QuestionProps {
  result: ImportResult;
  choices: Choices;
  /** Other choices are checked again at once. */
  onChoices: (choices: Choices) => void;
}

/** What the file does not say clearly: a person answers it, or learns what the import does about it. */
export function ImportQuestions(props: QuestionProps) {
  const { result, choices, onChoices } = props;
  return (
    <>
      {result.openColumns.map((column) => (
        <OpenColumn key={column.header} {...props} column={column} />
      ))}
      <ImportDates
        proved={result.dateOrder}
        ambiguous={result.ambiguousDates}
        headers={result.columns}
        chosen={choices.dateFormat}
        onChoose={(dateFormat) => onChoices({ ...choices, dateFormat })}
      />
      {result.unknownStatuses.length > 0 && <Statuses {...props} />}
      {result.damagedNumbers.length > 0 && <Numbers {...props} />}
      {result.unknownManagers.length > 0 && <Managers rows={result.unknownManagers} />}
      {result.placeholders.length > 0 && <Placeholders result={result} />}
    </>
  );
}

function OpenColumn({
  column: { header, values },
  choices,
  onChoices,
}: QuestionProps & { column: ImportResult['openColumns'][number] }) {
  const { questions: words } = useWords().people.importing;
  const choose = (field: string | null) => onChoices({ ...choices, map: { ...choices.map, [header]: field } });
  return (
    <section className={styles.notice} aria-label={words.column(header)}>
      <h2>
        <Icon name="warn" />
        {words.column(header)}
      </h2>
      <p>{words.columnText(values.join(', '))}</p>
      <Group>
        <Button variant="filled" onClick={() => choose('status')}>
          {words.isStatus}
        </Button>
        <Button onClick={() => choose('leavingDate')}>{words.isLeavingDate}</Button>
        <Button onClick={() => choose(null)}>{words.isOther}</Button>
      </Group>
    </section>
  );
}

function Statuses({ result, choices, onChoices }: QuestionProps) {
  const { people, parts } = useWords();
  const { questions: words } = people.importing;
  const choose = (text: string, meaning: string) =>
    onChoices({ ...choices, status: { ...choices.status, [text]: meaning as 'active' | 'left' } });
  const columns: Column<ImportText>[] = [
    { key: 'text', head: words.inFile, cell: ({ text }) => <b>{text}</b> },
    { key: 'rows', head: words.rows, isNumber: true, isOptional: true, cell: ({ rows }) => rows },
    {
      key: 'meaning',
      head: words.means,
      cell: ({ text }) => (
        <NativeSelect
          aria-label={`${words.means}${parts.colon}${text}`}
          value=""
          data={[
            { value: '', label: words.chooseMeaning },
            { value: 'active', label: words.active },
            { value: 'left', label: words.left },
          ]}
          onChange={({ target }) => choose(text, target.value)}
        />
      ),
    },
  ];
  return (
    <Section title={words.statuses} beside={words.statusesText}>
      <Table label={words.statuses} columns={columns} rows={result.unknownStatuses} rowKey={({ text }) => text} />
    </Section>
  );
}

function Numbers({ result, choices, onChoices }: QuestionProps) {
  const { questions: words, line } = useWords().people.importing;
  const choose = (number: string, meaning: string) =>
    onChoices({ ...choices, value: withValue(choices.value, 'employeeNumber', number, meaning) });
  const columns: Column<ImportNumber>[] = [
    { key: 'number', head: words.inFile, cell: ({ employeeNumber }) => <b className="figure">{employeeNumber}</b> },
    { key: 'line', head: line, isNumber: true, isOptional: true, cell: (row) => row.line },
    { key: 'probably', head: words.probably, cell: ({ probably }) => probably && <Probable person={probably} /> },
    {
      key: 'act',
      head: words.means,
      hidesHead: true,
      cell: ({ employeeNumber: number, probably }) => (
        <Group gap={8}>
          {probably && (
            <Button size="compact-sm" onClick={() => choose(number, probably.employeeNumber)}>
              {words.takeNumber(probably.employeeNumber)}
            </Button>
          )}
          {/^\d+$/.test(number) && (
            <Button size="compact-sm" variant="subtle" onClick={() => choose(number, number)}>
              {words.keepNumber(number)}
            </Button>
          )}
        </Group>
      ),
    },
  ];
  return (
    <Section title={words.numbers} beside={words.numbersText}>
      <Table label={words.numbers} columns={columns} rows={result.damagedNumbers} rowKey={(row) => row.line} />
    </Section>
  );
}

function Probable({ person }: { person: NonNullable<ImportNumber['probably']> }) {
  const { id, ...named } = person;
  const name = nameOf({ ...named, email: null });
  return id === null ? name : <Go to={`/people/${id}`}>{name}</Go>;
}

function Managers({ rows }: { rows: ImportManager[] }) {
  const { questions: words } = useWords().people.importing;
  const columns: Column<ImportManager>[] = [
    { key: 'name', head: words.inFile, cell: ({ name }) => <b>{name}</b> },
    { key: 'why', head: words.why, cell: ({ people }) => words.namesakes(people) },
    { key: 'rows', head: words.rows, isNumber: true, isOptional: true, cell: (row) => row.rows },
  ];
  return (
    <Section title={words.managers} beside={words.managersText}>
      <Table label={words.managers} columns={columns} rows={rows} rowKey={({ name }) => name} />
    </Section>
  );
}

function Placeholders({ result }: { result: ImportResult }) {
  const { questions: words } = useWords().people.importing;
  const names = useFieldNames();
  const listed = result.placeholders.map(({ field, text, rows }) =>
    words.placeholder(text, names[field] ?? result.columns[field] ?? field, rows),
  );
  return (
    <Section title={words.placeholders}>
      <p>{words.placeholdersText}</p>
      <p className="second">{listed.join(' · ')}</p>
    </Section>
  );
}
