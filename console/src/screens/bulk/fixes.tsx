import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { nameOf } from '../../parts/name.ts';
import { useWords } from '../../words/words.tsx';
import styles from './bulk.module.css';
import { type Field, fields } from './file/headers.ts';
import type { OpenSheet } from './use-sheet.ts';
import type { Verdict } from './verdicts.ts';

/** The fields that correct a row, or the choice that it waits for. */
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
  const probable = (
    <Probable verdict={verdict} onUse={(number) => open.correct(row.number, 'employeeNumber', number)} />
  );
  const keep = bulk.keepNumber(row.employeeNumber ?? '');
  if (is === 'number')
    return (
      <span className={styles.choices}>
        {probable}
        <Button size="compact-sm" aria-label={bulk.atRow(keep, row.number)} onClick={() => choose('send')}>
          {keep}
        </Button>
        {leave}
      </span>
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
        {probable}
      </div>
      {leave}
    </div>
  );
}

/** Offers the person whom a damaged employee number probably means. */
function Probable({ verdict: { row, answer }, onUse }: { verdict: Verdict; onUse: (number: string) => void }) {
  const { bulk } = useWords();
  const { probably = null } = answer?.item ?? {};
  if (!probably?.employeeNumber) return null;
  const { employeeNumber } = probably;
  const offer = bulk.offerNumber(employeeNumber, nameOf(probably, ''));
  return (
    <Button
      size="compact-sm"
      className={styles.offer}
      aria-label={bulk.atRow(offer, row.number)}
      onClick={() => onUse(employeeNumber)}
    >
      {offer}
    </Button>
  );
}

/** Which fields can correct the row. */
function fieldsAtFault({ row, answer }: Verdict): Field[] {
  const own = row.faults.flatMap(({ field, is }): Field[] =>
    is === 'contradiction' || is === 'cut' ? ['amount', field] : [field],
  );
  return [...new Set([...own, ...(answer?.faults ?? []).map(({ path }) => fieldAt(path))])];
}

function fieldAt(path: string | null): Field {
  const [, name = ''] = /(\w+)$/.exec(path ?? '') ?? [];
  if (name === 'reasonId') return 'reason';
  return name !== 'firstName' && name !== 'lastName' && isField(name) ? name : 'email';
}

function isField(name: string): name is Field {
  return (fields as readonly string[]).includes(name);
}

interface FixProps {
  verdict: Verdict;
  field: Field;
  onFix: (text: string) => void;
}

/**
 * Shows what the row has. What one types takes effect when one leaves the field or presses Enter, so that the row does not go away
 * meanwhile. A field in which nothing was typed changes nothing.
 */
function Fix({ verdict: { row }, field, onFix }: FixProps) {
  const { bulk } = useWords();
  const [typed, setTyped] = useState<string | null>(null);
  const current = row.texts[field] ?? '';
  const commit = () => {
    if (typed !== null && typed.trim() !== current) onFix(typed.trim());
    setTyped(null);
  };
  const props = {
    'aria-label': bulk.fixRow(row.number, bulk.fields[field]),
    placeholder: bulk.fields[field],
    value: typed ?? current,
    error: typed === null && row.faults.some((fault) => fault.field === field),
    onBlur: commit,
  };
  const isCut = field === 'message' && row.faults.some(({ is }) => is === 'cut');
  if (field !== 'message')
    return (
      <TextInput
        {...props}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Enter' && commit()}
      />
    );
  return (
    <>
      <Textarea
        {...props}
        autosize
        minRows={2}
        maxRows={8}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {isCut && (
        <Button size="compact-sm" aria-label={bulk.keepMessageRow(row.number)} onClick={() => onFix(typed ?? current)}>
          {bulk.keepMessage}
        </Button>
      )}
    </>
  );
}
