import type { ImportResult } from '@giftwire/sdk';
import { Button, Group, Progress } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { download } from '../../data/download.ts';
import { DropFile } from '../../parts/drop-file.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Go, GoButton } from '../../parts/link.tsx';
import { Bar, Page } from '../../parts/page.tsx';
import { tell } from '../../parts/tell.tsx';
import { useTellUndoable } from '../../parts/use-tell-undoable.ts';
import { useWords } from '../../words/words.tsx';
import styles from './import.module.css';
import { type Choices, noChoices, sentChoices } from './import-choices.ts';
import { ImportOutcome } from './import-outcome.tsx';

const template = `email,employeeNumber,firstName,lastName,preferredName,department,costCentre,location,manager,team,currency,country,hireDate,birthday,language,timeZone,phone,active,leavingDate
grace.kowalski@example.com,1007,Grace,Okafor,Gracie,Engineering,CC-100,Chicago,amara.okafor@example.com,Platform,USD,US,2024-03-01,05-17,EN_US,America/Chicago,+1 312 555 0142,true,
`;

type Step = { is: 'choose' } | { is: 'checking' | 'working'; rows: number } | { is: 'seen'; result: ImportResult };

/** People from a file: what would change is shown first, then it changes. */
export default function PeopleImport() {
  const { people, undo } = useWords();
  const { importing: words } = people;
  const { step, error, choices, take, check, commit, restart } = useImport();
  return (
    <Page
      title={words.title}
      text={
        <>
          {words.text} <Go to="/people/undo">{undo.link}</Go>
        </>
      }
      above={<Go to="/people">{people.title}</Go>}
    >
      <Fault error={error} />
      {step.is === 'choose' && <Choose onFile={take} />}
      {(step.is === 'checking' || step.is === 'working') && (
        <section className={styles.busy} role="status">
          <b>{step.is === 'checking' ? words.checking(step.rows) : words.working(step.rows)}</b>
          <Progress value={100} animated striped aria-label={words.title} />
          {step.is === 'working' && <p className="quiet">{words.workingText}</p>}
        </section>
      )}
      {step.is === 'seen' && (
        <>
          <ImportOutcome result={step.result} choices={choices} onChoices={check} />
          <Decide result={step.result} choices={choices} onCommit={commit} onRestart={restart} />
        </>
      )}
    </Page>
  );
}

function useImport() {
  const { people } = useWords();
  const queries = useQueryClient();
  const tellUndoable = useTellUndoable();
  const file = useRef<{ blob: Blob; rows: number } | null>(null);
  const [choices, setChoices] = useState<Choices>(noChoices);
  const [step, setStep] = useState<Step>({ is: 'choose' });
  const [error, setError] = useState<unknown>(null);
  async function run(dryRun: boolean, chosen: Choices): Promise<ImportResult | null> {
    if (!file.current) return null;
    setError(null);
    setStep({ is: dryRun ? 'checking' : 'working', rows: file.current.rows });
    try {
      const result = await giftwire.members.import(file.current.blob, { dryRun, ...sentChoices(chosen) });
      setStep({ is: 'seen', result });
      return result;
    } catch (thrown) {
      setError(thrown);
      setStep({ is: 'choose' });
      return null;
    }
  }
  const check = (chosen: Choices) => {
    setChoices(chosen);
    void run(true, chosen);
  };
  const take = async (blob: File) => {
    file.current = { blob, rows: Math.max((await blob.text()).trimEnd().split('\n').length - 1, 0) };
    check(noChoices);
  };
  const commit = async () => {
    const result = await run(false, choices);
    if (!result) return;
    const changed = result.added + result.changed;
    if (changed > 0) await tellUndoable(people.importing.imported(changed), 'MEMBER_IMPORT', null);
    else tell(people.importing.imported(changed));
    void queries.invalidateQueries({ queryKey: ['people'] });
  };
  const restart = () => {
    file.current = null;
    setStep({ is: 'choose' });
  };
  return { step, error, choices, take, check, commit, restart };
}

function Choose({ onFile }: { onFile: (file: File) => void }) {
  const { people } = useWords();
  const { importing: words } = people;
  return (
    <DropFile
      title={words.drop}
      text={words.dropText}
      choose={words.choose}
      onFile={onFile}
      beside={
        <Button leftSection={<Icon name="download" />} onClick={() => void download('people.csv', template)}>
          {words.template}
        </Button>
      }
    />
  );
}

interface DecideProps {
  result: ImportResult;
  choices: Choices;
  onCommit: () => Promise<void>;
  onRestart: () => void;
}

/** The totals stay in sight, with the button that makes it so. */
function Decide({ result, onCommit, onRestart }: DecideProps) {
  const { people } = useWords();
  const { importing: words } = people;
  const { counts } = words;
  const changes = result.added + result.changed;
  const shown = (Object.keys(counts) as (keyof typeof counts)[]).filter((name) => result[name] > 0);
  return (
    <Bar
      label={result.dryRun ? words.preview : words.done}
      actions={
        <>
          <Button onClick={onRestart}>{words.other}</Button>
          {result.dryRun ? (
            <Button
              variant="filled"
              disabled={changes === 0 || result.openColumns.length > 0}
              onClick={() => void onCommit()}
            >
              {words.act(result.rows - result.rejected)}
            </Button>
          ) : (
            <GoButton to="/people" variant="filled">
              {words.toPeople}
            </GoButton>
          )}
        </>
      }
    >
      <Group gap={16}>
        {shown.map((name) => (
          <span key={name}>
            <b className="figure">{result[name]}</b> {counts[name](result[name])}
          </span>
        ))}
      </Group>
    </Bar>
  );
}
