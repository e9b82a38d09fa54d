import type { ImportChange, ImportFault, ImportResult } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { download } from '../../data/download.ts';
import { Empty } from '../../parts/empty.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import { Section } from '../../parts/page.tsx';
import { Pill, type Tone } from '../../parts/state-pill.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useWords } from '../../words/words.tsx';
import { useFieldNames } from './field-names.ts';
import styles from './import.module.css';
import type { Choices } from './import-choices.ts';
import { ImportColumns } from './import-columns.tsx';
import { ImportQuestions } from './import-questions.tsx';
import { ImportValues } from './import-values.tsx';

interface OutcomeProps {
  result: ImportResult;
  choices: Choices;
  /** Other choices are checked again at once. */
  onChoices: (choices: Choices) => void;
}

const shownRows = 100;

/** What an import would do or has done: leavers to confirm, invalid rows, people, and how the columns were read. */
export function ImportOutcome({ result, choices, onChoices }: OutcomeProps) {
  const { people } = useWords();
  const { importing: words } = people;
  const hasNothing = result.changes.length === 0 && result.faults.length === 0;
  return (
    <>
      {!result.complete && <p className={styles.notice}>{words.stopped(result.doneToLine ?? 0)}</p>}
      {result.dryRun && <ImportQuestions result={result} choices={choices} onChoices={onChoices} />}
      {result.heldBack > 0 && result.dryRun && (
        <section className={styles.notice} aria-label={words.heldBack(result.heldBack)}>
          <h2>
            <Icon name="warn" />
            {words.heldBack(result.heldBack)}
          </h2>
          <p>{words.heldBackText(result.leaversWithoutAsking)}</p>
          <Button onClick={() => onChoices({ ...choices, allowLeavers: result.heldBack })}>
            {words.allow(result.heldBack)}
          </Button>
        </section>
      )}
      {result.faults.length > 0 && <Faults result={result} />}
      {hasNothing && <Empty title={words.preview}>{words.nothing}</Empty>}
      {result.dryRun && <ImportColumns result={result} choices={choices} onChoices={onChoices} />}
      {result.changes.length > 0 && <Changes result={result} />}
      {result.dryRun && <ImportValues fields={Object.keys(result.columns)} choices={choices} onChoices={onChoices} />}
    </>
  );
}

function Faults({ result }: { result: ImportResult }) {
  const { people } = useWords();
  const { importing: words } = people;
  const columns: Column<ImportFault>[] = [
    { key: 'line', head: words.line, cell: ({ line }) => <b className="figure">{line}</b> },
    { key: 'reason', head: words.reason, isWide: true, cell: ({ reason }) => reason },
  ];
  const all = result.rejected + result.withoutManager;
  return (
    <Section title={words.faults} beside={result.faults.length > shownRows && words.first(shownRows, all)}>
      <p className={`quiet small ${styles.before}`}>{words.faultsText(result.rejected, result.withoutManager)}</p>
      <Table
        label={words.faults}
        columns={columns}
        rows={result.faults.slice(0, shownRows)}
        rowKey={({ line, reason }) => `${line} ${reason}`}
        foot={
          <Button
            size="compact-sm"
            leftSection={<Icon name="download" size={16} />}
            onClick={() => void download('people-with-faults.csv', result.rejectedRows ?? '')}
          >
            {words.faultsFile}
          </Button>
        }
      />
    </Section>
  );
}

const looks: Record<ImportChange['change'], { tone: Tone; icon: IconName }> = {
  added: { tone: 'green', icon: 'plus' },
  changed: { tone: 'blue', icon: 'pen' },
  leaves: { tone: 'neutral', icon: 'out' },
  heldBack: { tone: 'amber', icon: 'clock' },
  returns: { tone: 'brand', icon: 'repeat' },
};

function Changes({ result }: { result: ImportResult }) {
  const { people } = useWords();
  const { importing: words } = people;
  const names = useFieldNames();
  const columns: Column<ImportChange>[] = [
    {
      key: 'person',
      head: words.person,
      cell: ({ id, ...person }) => {
        const name = nameOf({ ...person, firstName: person.firstName ?? '', lastName: person.lastName ?? '' });
        return id === null ? <b>{name}</b> : <Go to={`/people/${id}`}>{name}</Go>;
      },
    },
    { key: 'change', head: words.change, cell: ({ change }) => <Pill {...looks[change]}>{words.kinds[change]}</Pill> },
    // Of people who are added, the row has all of them.
    ...(result.changes.some(({ fields }) => fields.length > 0)
      ? [
          {
            key: 'fields',
            head: words.columns,
            isOptional: true,
            cell: ({ fields }: ImportChange) => (
              <span className="second">{fields.map((name) => names[name] ?? name).join(', ')}</span>
            ),
          },
        ]
      : []),
    { key: 'line', head: words.line, isNumber: true, isOptional: true, cell: ({ line }) => line },
  ];
  const all = result.added + result.changed;
  return (
    <Section title={words.people} beside={result.changes.length > shownRows && words.first(shownRows, all)}>
      <Table
        label={words.people}
        columns={columns}
        rows={result.changes.slice(0, shownRows)}
        rowKey={({ line, change }) => `${line} ${change}`}
      />
    </Section>
  );
}
