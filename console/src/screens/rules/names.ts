import type { Approver, Rule } from '@giftwire/sdk';
import { useQueries, useQuery } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { nameOf } from '../../parts/name.ts';
import { useWords } from '../../words/words.tsx';
import { sourceOf } from './source.ts';

const most = 1_000;

/** The teams, and the tokens of the workspace, by id. They are read only where a rule or a field names one. */
export function useTeams(isWanted: boolean): ReadonlyMap<string, string> | undefined {
  const { data } = useQuery({
    queryKey: ['reports', 'groups', 'team', 'ids'],
    queryFn: ({ signal }) => giftwire.reports.coverage({ by: 'team', sort: 'name', size: most }, { signal }),
    enabled: isWanted,
  });
  return (
    data && new Map(data.groups.flatMap(({ id, name }) => (id === null ? [] : [[String(id), name ?? String(id)]])))
  );
}

export function useTokens(isWanted: boolean): ReadonlyMap<string, string> | undefined {
  const canRead = useCan()('audit:read');
  const { data } = useQuery({
    queryKey: ['tokens', 'names'],
    queryFn: ({ signal }) => giftwire.tokens.list({ size: most }, { signal }),
    enabled: isWanted && canRead,
  });
  return data && new Map(data.tokens.map(({ id, name }) => [String(id), name ?? String(id)]));
}

export function useAutomations(isWanted: boolean): ReadonlyMap<string, string> | undefined {
  const canRead = useCan()('automations:read');
  const { data } = useQuery({
    queryKey: ['automations', 'list'],
    queryFn: ({ signal }) => giftwire.automations.list({ signal }),
    enabled: isWanted && canRead,
  });
  return data && new Map(data.automations.map(({ id, name }) => [String(id), name]));
}

/** Names of what rules only have the ids of. */
export function useRuleNames(rules: readonly Rule[]) {
  const { rules: words, users } = useWords();
  const sources = rules.map(({ from }) => sourceOf(from).kind);
  const teams = useTeams(sources.includes('TEAM'));
  const tokens = useTokens(sources.includes('TOKEN'));
  const automations = useAutomations(sources.includes('AUTOMATION'));
  const people = useMemberNames(
    rules.flatMap(({ levels }) =>
      levels.flatMap(({ approvers }) => approvers.flatMap(({ memberId }) => memberId ?? [])),
    ),
  );
  return {
    source(from: Rule['from']): string {
      const { kind, value } = sourceOf(from);
      if (kind === 'ROLE') return users.roles[value as keyof typeof users.roles];
      if (kind === 'TEAM') return teams?.get(value) ?? words.unknownTeam;
      if (kind === 'TOKEN') return tokens?.get(value) ?? words.unknownToken;
      if (kind === 'AUTOMATION') return automations?.get(value) ?? words.unknownAutomation;
      return value;
    },
    approver({ is, role, memberId }: Approver): string {
      if (is === 'MANAGER') return words.manager;
      if (is === 'ROLE') return role && role in words.asked ? words.asked[role as keyof typeof words.asked] : '…';
      return people.get(memberId ?? 0) ?? '…';
    },
  };
}

/** The names of members by id; a member who cannot be read has a word instead. */
export function useMemberNames(ids: readonly number[]): ReadonlyMap<number, string> {
  const { rules: words } = useWords();
  const wanted = [...new Set(ids)];
  const found = useQueries({
    queries: wanted.map((id) => ({
      queryKey: ['people', 'one', id, 'name'],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        giftwire.members.retrieve(id, { signal }).then(
          (member) => nameOf(member),
          () => words.unknownPerson,
        ),
    })),
  });
  return new Map(wanted.flatMap((id, nth) => (found[nth]?.data ? [[id, found[nth].data]] : [])));
}
