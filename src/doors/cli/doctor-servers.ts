import type { Config } from '../../ground/config/config.ts';
import { readServerStates, type ServerState } from '../../ground/database/servers.ts';
import type { Finding } from './finding.ts';

/** The servers of DATABASE_URL, where it names several: which one takes writes, and what the others are. */
export async function examineServers({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<Finding[]> {
  const states = databaseUrl === null ? [] : await readServerStates(databaseUrl);
  return states.length === 0 ? [] : [findingOf(states)];
}

type Writable = Extract<ServerState, { is: 'writable' }>;

export function findingOf(states: readonly ServerState[]): Finding {
  const advice = adviceFor(states);
  return { check: 'servers', ok: advice === null, detail: states.map(describe).join('; '), ...(advice && { advice }) };
}

function describe(state: ServerState): string {
  const { server } = state;
  if (state.is === 'unreachable') return `${server} cannot be reached (${state.reason})`;
  if (state.is === 'writable') return `${server} takes writes`;
  return `${server} ${state.is === 'standby' ? 'is a standby' : 'is set to read-only'}`;
}

function adviceFor(states: readonly ServerState[]): string | null {
  const writable = distinct(states.filter((state) => state.is === 'writable'));
  if (writable.length > 1) return adviceForSeveral(writable);
  const away = states.filter(({ is }) => is === 'unreachable').map(({ server }) => server);
  if (writable.length === 0)
    return away.length > 0
      ? `No server takes writes, so requests get 503. Start ${away.join(' or ')}. If the primary stays away, promote a standby (docs/operate.md, "Fail over").`
      : 'No server takes writes, so requests get 503. Let the primary take writes again, or promote a standby (docs/operate.md, "Fail over").';
  if (away.length === 0) return null;
  return `Start ${away.join(' and ')}, or remove it from DATABASE_URL: nodes cannot fail over to it.`;
}

/** Without further names of the same server. */
function distinct(writable: readonly Writable[]): Writable[] {
  return [...new Map(writable.map((state) => [state.startedAt, state])).values()];
}

function adviceForSeveral(writable: readonly Writable[]): string {
  const latest = Math.max(...writable.map(({ timeline }) => timeline));
  const current = writable.filter(({ timeline }) => timeline === latest);
  const [only] = current;
  if (!only || current.length > 1) {
    const names = current.map(({ server }) => server).join(' and ');
    return `${names} are not of one cluster, or one is a copy of the other: stop all nodes, find out which has the orders, and name only its servers.`;
  }
  const former = writable.filter((state) => state !== only).map(({ server }) => server);
  return `Stop ${former.join(' and ')} now: Giftwire uses ${only.server}, which has replaced it. Let it follow ${only.server} (docs/operate.md, "Fail over", step 3).`;
}
