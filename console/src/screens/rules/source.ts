import type { Rule } from '@giftwire/sdk';
import type { Words } from '../../words/words.tsx';

export type SourceKind = keyof Words['rules']['from'];

/** Whose orders a rule is about, as the form has it. The value is a name, a role or an id. */
export interface Source {
  kind: SourceKind;
  value: string;
}

export function sourceOf({ role, department, costCentre, teamId, tokenId, automationId }: Rule['from']): Source {
  if (role !== undefined) return { kind: 'ROLE', value: role };
  if (department !== undefined) return { kind: 'DEPARTMENT', value: department };
  if (costCentre !== undefined) return { kind: 'COST_CENTRE', value: costCentre };
  if (teamId !== undefined) return { kind: 'TEAM', value: String(teamId) };
  if (tokenId !== undefined) return { kind: 'TOKEN', value: String(tokenId) };
  if (automationId !== undefined) return { kind: 'AUTOMATION', value: String(automationId) };
  return { kind: 'ANY', value: '' };
}

export function fromOf({ kind, value }: Source): Rule['from'] {
  if (kind === 'ROLE') return { role: value as NonNullable<Rule['from']['role']> };
  if (kind === 'DEPARTMENT') return { department: value };
  if (kind === 'COST_CENTRE') return { costCentre: value };
  if (kind === 'TEAM') return { teamId: Number(value) };
  if (kind === 'TOKEN') return { tokenId: Number(value) };
  if (kind === 'AUTOMATION') return { automationId: Number(value) };
  return {};
}
