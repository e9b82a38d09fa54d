import { Select } from '@mantine/core';
import { GroupField } from '../../parts/group-field.tsx';
import { useWords } from '../../words/words.tsx';
import { useAutomations, useTeams, useTokens } from './names.ts';
import styles from './rules.module.css';
import type { Source, SourceKind } from './source.ts';

interface SourceFieldProps {
  source: Source;
  error: string | null;
  onChange: (source: Source) => void;
}

const sendingRoles = ['OWNER', 'PEOPLE_TEAM', 'MANAGER', 'EMPLOYEE'] as const;

/** Whose orders: the kind, then the role, group, token or automation. */
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
      <Which source={source} error={error} onChange={onChange} />
    </>
  );
}

function Which({ source: { kind, value }, error, onChange }: SourceFieldProps) {
  const { rules: words, users } = useWords();
  const teams = useTeams(kind === 'TEAM');
  const tokens = useTokens(kind === 'TOKEN');
  const automations = useAutomations(kind === 'AUTOMATION');
  const choose = (chosen: string | null) => onChange({ kind, value: chosen ?? '' });
  const field = { className: styles.usual, error, value: value === '' ? null : value, onChange: choose };
  if (kind === 'ANY') return null;
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
  const lists = {
    TEAM: { label: words.fields.team, options: teams },
    TOKEN: { label: words.fields.token, options: tokens },
    AUTOMATION: { label: words.fields.automation, options: automations },
  };
  const { label, options } = lists[kind];
  return (
    <Select
      {...field}
      searchable
      aria-label={label}
      data={[...(options ?? [])].map(([id, name]) => ({ value: id, label: name }))}
    />
  );
}
