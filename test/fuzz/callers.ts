import { roles } from '../../src/company/access/roles.ts';
import { scopes } from '../../src/company/access/scopes.ts';
import { addMembers } from '../../src/company/directory/save.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { byToken, type Caller } from '../support/callers.ts';
import type { Operation } from '../support/openapi.ts';
import type { Random } from '../support/random.ts';
import type { TestService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';

export interface FuzzCallers {
  token: string;
  /** Someone with gifts, posts and people who report to them, to whom most requests about a person's own records are sent. */
  manager: Caller;
  managerEmail: string;
  pick: (random: Random, operation: Operation) => Caller;
}

/** Callers of several kinds. They are opened again and again, because requests revoke tokens, end sessions and remove users. */
export async function openFuzzCallers(service: TestService, workspace: number, round: number): Promise<FuzzCallers> {
  const tokenWith = async (granted: readonly string[], rateLimitPerMinute: number | null = null) =>
    (await service.addToken({ workspaces: [workspace], scopes: granted, rateLimitPerMinute })).token;
  const token = await tokenWith(scopes);
  const full = byToken(token, workspace);
  const sessions: Caller[] = [];
  await addManager(service, workspace, round);
  for (const role of roles) {
    const email = role === 'MANAGER' ? managerOf(round) : `fuzz.${role.toLowerCase()}@example.net`;
    const { cookie } = await signIn(service, { role, email, name: 'Fuzz', workspace });
    sessions.push({ headers: { Cookie: cookie, Origin: service.url }, workspace });
  }
  const limited = byToken(await tokenWith(scopes, 20), workspace);
  const reading = byToken(await tokenWith(scopes.filter((scope) => scope.endsWith(':read'))), workspace);
  const others: Caller[] = [
    { headers: {}, workspace },
    byToken(`${token}x`, workspace),
    byToken(await tokenWith([]), workspace),
    { ...full, workspace: workspace + 1_000_000 },
    limited,
    reading,
  ];
  const manager = sessions[roles.indexOf('MANAGER')] as Caller;
  return {
    token,
    manager,
    managerEmail: managerOf(round),
    pick: (random, { path }) => {
      if (ofPeople.test(path) && random.chance(0.7)) return manager;
      if (random.chance(0.6)) return full;
      return random.pick(random.chance(0.75) ? sessions : others);
    },
  };
}

/** Operations that only people who sign in may use, about what is theirs. */
const ofPeople = /^\/api\/v1\/(me|feed|approvals|automations\/occurrences)\b/;

const managerOf = (round: number) => `fuzz.manager${round}@example.net`;

/** A manager with a report. Each round has its own, because requests merge people and change their addresses. */
async function addManager({ database }: TestService, workspace: number, round: number): Promise<void> {
  await inWorkspace(database, workspace, async (tx) => {
    const [managerId = 0] = await addMembers(tx, workspace, [{ email: managerOf(round), firstName: 'Mona' }]);
    await addMembers(tx, workspace, [{ email: `fuzz.report${round}@example.net`, managerId }]);
  });
}
