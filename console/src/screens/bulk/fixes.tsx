import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../words/words.tsx';
import styles from './bulk.module.css';
import type { Field } from './file/columns.ts';
import type { OpenSheet } from './use-sheet.ts';
import type { Verdict } from './verdicts.ts';

/** The field that puts a row right, or the choice that it waits for. */
export function Fixes({ verdict, open }: { verdict: Verdict; open: OpenSheet }) {
  const { bulk } = useWords();
  const { row, is } = verdict;
  const choose = (choice: 'send' | 'leave' | null) => open.choose([row.number], choice);
  const leave = (
    <Button
      size="compact-sm"
      variant="subtle"
      aria-label={bulk.leaveOutRow(row.number)}
      onClick={() => choose('leave')}
    >
      {bulk.leaveOut}
    </Button>
  );
  if (is === 'left')
    return (
      <Button size="compact-sm" aria-label={bulk.takeBackRow(row.number)} onClick={() => choose(null)}>
        {bulk.takeBack}
      </Button>
    );
  if (is === 'double')
    return (
      <span className={styles.choices}>
        <Button size="compact-sm" aria-label={bulk.sendAnywayRow(row.number)} onClick={() => choose('send')}>
          {bulk.sendAnyway}
        </Button>
        {leave}
      </span>
    );
  if (is !== 'fault') return leave;
  return (
    <div className={styles.fix}>
      <div className={styles.fixes}>
        {fieldsAtFault(verdict).map((field) => (
          <Fix key={field} verdict={verdict} field={field} onFix={(text) => open.correct(row.number, field, text)} />
        ))}
      </div>
      {leave}
    </div>
  );
}

/** Which fields can put the row right. */
function fieldsAtFault({ row, answer }: Verdict): Field[] {
  const named = (answer?.faults ?? []).map(({ path }): Field => {
    const [, name = ''] = /\.(\w+)$/.exec(path ?? '') ?? [];
    if (name === 'employeeNumber' || name === 'amount' || name === 'message') return name;
    return name === 'reasonId' ? 'reason' : 'email';
  });
  return [...new Set([...row.faults.map(({ field }) => field), ...named])];
}

interface FixProps {
  verdict: Verdict;
  field: Field;
  onFix: (text: string) => void;
}

/** Takes effect when one leaves the field or presses Enter, so that the row does not go away while one types. */
function Fix({ verdict: { row }, field, onFix }: FixProps) {
  const { bulk } = useWords();
  const before = row.texts[field] ?? '';
  const [text, setText] = useState(before);
  const commit = () => text !== before && onFix(text.trim());
  return (
    <TextInput
      aria-label={bulk.fixRow(row.number, bulk.fields[field])}
      placeholder={bulk.fields[field]}
      value={text}
      error={text === before}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
    />
  );
}
