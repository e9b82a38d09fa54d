import { usualScopes } from '../../company/access/scopes.ts';
import { createToken } from '../../company/access/tokens.ts';
import { mergeMembers } from '../../company/directory/merge.ts';
import { addMembers, updateMembers } from '../../company/directory/save.ts';
import { findOrAddTeams, joinTeams } from '../../company/directory/teams.ts';
import { addWebhook } from '../../company/events/webhooks/endpoints.ts';
import { theService } from '../../company/workspaces/audit.ts';
import { lockWorkspace } from '../../company/workspaces/lock.ts';
import { recordAt } from '../../company/workspaces/replayed.ts';
import { createWorkspace } from '../../company/workspaces/workspaces.ts';
import type { GiftTokenKeys } from '../../giving/gifts/token-keys.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import { type Database, lookUpByKey, type Queryable, queryOne } from '../../ground/database/database.ts';
import { addBudgets } from './budgets.ts';
import { addWaitingGifts, storeFates } from './fates.ts';
import { demoHistory } from './history.ts';
import { type DemoPerson, demoPeople } from './people.ts';
import { replay } from './replay.ts';
import { addSpending } from './spending.ts';
import { addUsers, nameOf } from './users.ts';

export interface Demo {
  workspaceId: number;
  token: string;
}

const demoLock = 0x64656d6f; // "demo"
const dayMs = 86_400_000;
/** An endpoint without a server, so that the console shows a failing webhook. Port 9 discards what it gets. */
const nobodysEndpoint = { url: 'http://127.0.0.1:9/giftwire', description: 'Payroll, not reachable' };

/** Fills an empty database with a company of 120 people and a year of recognition. Returns null if there is a workspace. */
export async function createDemo(
  database: Database,
  keys: GiftTokenKeys,
  onBegin: () => void = () => {},
): Promise<Demo | null> {
  return database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [demoLock]);
    const workspaces = await queryOne<{ some: boolean }>(tx, 'select exists (select from workspaces) as some');
    if (workspaces.some) return null;
    onBegin();
    // A first start that was cut off may have used the id 1.
    await tx.query(`select setval(pg_get_serial_sequence('workspaces', 'id'), 1, false)`);
    const now = Date.now();
    // Before the year of history, so that reports as of a day in it have people.
    const begin = new Date(now - 400 * dayMs);
    recordAt(tx, begin);
    const { id: workspaceId } = await createWorkspace(tx, theService, {
      name: 'Northwind Demo',
      language: 'EN_CA',
      refusesUnknownEmployeeNumbers: false,
      asksForApproval: true,
    });
    const people = demoPeople();
    const memberIds = await addPeople(tx, workspaceId, people, begin);
    const sender = people.findIndex(({ department }) => department === 'People');
    const { email } = people[sender] as DemoPerson;
    const senderName = nameOf(people[sender] as DemoPerson);
    const { id: tokenId, token } = await createToken(tx, theService, 'test', {
      name: senderName,
      scopes: usualScopes,
      workspaces: [workspaceId],
      actsAs: email,
      lastsMs: null,
      rateLimitPerMinute: null,
    });
    const users = await addUsers(tx, workspaceId, people);
    // Without statistics the planner chooses between indexes by chance. With them, planned once is planned well.
    await tx.query('analyze members');
    await lookUpByKey(tx);
    const actsAs = memberIds[sender] as number;
    const peopleTeam = users.get('PEOPLE_TEAM') as Actor;
    const stage = { tx, keys, workspaceId, tokenId, actsAs, senderName, peopleTeam, people, memberIds };
    const history = demoHistory(people, now);
    await replay(stage, history);
    recordAt(tx, new Date(now));
    await storeFates(
      stage,
      history.filter((entry) => entry.kind === 'order'),
      now,
    );
    await addSpending(stage, now);
    await addWaitingGifts(stage, now);
    await addBudgets(stage, now);
    await addWebhook(tx, theService, workspaceId, nobodysEndpoint, keys.current);
    await letSomeLeave(tx, workspaceId, memberIds);
    await tx.query('analyze members, order_requests, orders, certificates, activities, mails');
    return { workspaceId, token };
  });
}

/** Returns their ids, in the same order. One of them has a second record, from an order to the number of a former job. */
async function addPeople(tx: Queryable, workspaceId: number, people: DemoPerson[], addedAt: Date): Promise<number[]> {
  await lockWorkspace(tx, workspaceId);
  const ids = await addMembers(
    tx,
    workspaceId,
    people.map((person) => ({ ...person, addedAt })),
  );
  const teams = await findOrAddTeams(tx, workspaceId, [...new Set(people.map(({ team }) => team))].sort());
  await joinTeams(
    tx,
    workspaceId,
    people.map(({ team }, nth) => ({ memberId: ids[nth] as number, teamId: teams.get(team) as number })),
  );
  const managed = people.flatMap(({ manager }, nth) =>
    manager === null ? [] : [{ id: ids[nth] as number, managerId: ids[manager] as number }],
  );
  await updateMembers(tx, workspaceId, managed);
  const [double] = await addMembers(tx, workspaceId, [{ employeeNumber: 'INTERN-7', firstName: 'Amara' }]);
  await mergeMembers(tx, theService, workspaceId, double as number, ids[0] as number);
  return ids;
}

/** Leavers stay in the history, and in reports that ask for them. */
async function letSomeLeave(tx: Queryable, workspaceId: number, memberIds: number[]): Promise<void> {
  const leavers = memberIds.filter((_, nth) => nth % 30 === 27);
  await updateMembers(
    tx,
    workspaceId,
    leavers.map((id) => ({ id, active: false })),
  );
}
