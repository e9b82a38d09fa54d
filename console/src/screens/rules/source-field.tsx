import { Select } from '@mantine/core';
import { GroupField } from '../../parts/group-field.tsx';
import { useWords } from '../../words/words.tsx';
import { useTeams, useTokens } from './names.ts';
import styles from './rules.module.css';
import type { Source, SourceKind } from './source.ts';

interface SourceFieldProps {
  source: Source;
  error: string | null;
  onChange: (source: Source) => void;
}

const sendingRoles = ['OWNER', 'PEOPLE_TEAM', 'MANAGER'] as const;

/** Whose orders: the kind, then the role, group or token. */
export function SourceField({ source, error, onChange }: SourceFieldProps) {
  const { rules: words } = useWords();
  return (
    <>
      <Select
        className={styles.wide}
        aria-label={words.fields.from}
        data={Object.entries(words.from).map(([value, label]) => ({ value, label }))}
        allowDeselect={false}
        value={source.kind}
        onChange={(kind) => kind && onChange({ kind: kind as SourceKind, value: '' })}
      />{' '}
      {source.kind !== 'ANY' && <Which source={source} error={error} onChange={onChange} />}
    </>
  );
}

function Which({ source: { kind, value }, error, onChange }: SourceFieldProps) {
  const { rules: words, users } = useWords();
  const teams = useTeams(kind === 'TEAM');
  const tokens = useTokens(kind === 'TOKEN');
  const choose = (chosen: string | null) => onChange({ kind, value: chosen ?? '' });
  const field = { className: styles.usual, error, value: value === '' ? null : value, onChange: choose };
  if (kind === 'DEPARTMENT' || kind === 'COST_CENTRE') {
    const isDepartment = kind === 'DEPARTMENT';
    return (
      <GroupField
        {...field}
        by={isDepartment ? 'department' : 'costCentre'}
        aria-label={isDepartment ? words.fields.department : words.fields.costCentre}
        value={value === '' ? undefined : value}
      />
    );
  }
  if (kind === 'ROLE')
    return (
      <Select
        {...field}
        aria-label={words.fields.role}
        data={sendingRoles.map((role) => ({ value: role, label: users.roles[role] }))}
      />
    );
  const options = kind === 'TEAM' ? teams : tokens;
  return (
    <Select
      {...field}
      searchable
      aria-label={kind === 'TEAM' ? words.fields.team : words.fields.token}
      data={[...(options ?? [])].map(([id, label]) => ({ value: id, label }))}
    />
  );
}
