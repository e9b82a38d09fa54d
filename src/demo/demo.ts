import { scopes } from '../access/grants.ts';
import { createToken } from '../access/tokens.ts';
import type { Database, Queryable } from '../database/database.ts';
import { dayChange, moveDays } from '../directory/days.ts';
import { mergeMembers } from '../directory/merge.ts';
import { addMembers, updateMembers } from '../directory/save.ts';
import { findOrAddTeams, joinTeams } from '../directory/teams.ts';
import type { GiftTokenKeys } from '../gifts/token-keys.ts';
import { shortTokenHash } from '../gifts/tokens.ts';
import { countGapsSql } from '../recognition/gaps.ts';
import { lockWorkspaces } from '../workspaces/lock.ts';
import { createWorkspace } from '../workspaces/workspaces.ts';
import { type DemoOrder, type DemoShoutout, demoHistory, demoReasons } from './history.ts';
import { type DemoPerson, demoPeople } from './people.ts';

export interface Demo {
  workspaceId: number;
  token: string;
}

const demoLock = 0x64656d6f; // "demo"

/** Fills an empty database with a company of 120 people and a year of recognition; null where there is something. */
export async function createDemo(database: Database, keys: GiftTokenKeys): Promise<Demo | null> {
  return database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [demoLock]);
    const [workspaces] = await tx.query<{ some: boolean }>('select exists (select from workspaces) as some');
    if (workspaces?.some) return null;
    // A first start that was cut off may have used the number.
    await tx.query(`select setval(pg_get_serial_sequence('workspaces', 'id'), 1, false)`);
    const { id: workspaceId } = await createWorkspace(tx, {
      name: 'Northwind Demo',
      language: 'EN_CA',
      refusesUnknownEmployeeNumbers: false,
      asksForApproval: true,
    });
    const people = demoPeople();
    const memberIds = await addPeople(tx, workspaceId, people);
    const { token } = await createToken(tx, 'test', {
      name: 'Demo',
      scopes,
      workspaces: [workspaceId],
      actsAs: people.find(({ department }) => department === 'People')?.email as string,
      expiresAt: null,
      rateLimitPerMinute: null,
    });
    await addHistory(tx, keys, workspaceId, memberIds, demoHistory(people.length, Date.now()));
    await letSomeLeave(tx, workspaceId, memberIds);
    // Until then the planner knows nothing of these tables, and every index looks as good as the next.
    await tx.query('analyze members, order_requests, orders, certificates, activities');
    return { workspaceId, token };
  });
}

/** Their ids, in the same order. One of them had a second record, made by an order that knew the number of a former job. */
async function addPeople(tx: Queryable, workspaceId: number, people: DemoPerson[]): Promise<number[]> {
  await lockWorkspaces(tx, [workspaceId]);
  const ids = await addMembers(tx, workspaceId, people);
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
  await mergeMembers(tx, workspaceId, double as number, ids[0] as number);
  return ids;
}

/** They stay in the history, and in the reports of those who ask for them. */
async function letSomeLeave(tx: Queryable, workspaceId: number, memberIds: number[]): Promise<void> {
  const leavers = memberIds.filter((_, nth) => nth % 30 === 27);
  await updateMembers(
    tx,
    workspaceId,
    leavers.map((id) => ({ id, active: false })),
  );
}

async function addHistory(
  tx: Queryable,
  keys: GiftTokenKeys,
  workspaceId: number,
  memberIds: number[],
  history: (DemoOrder | DemoShoutout)[],
): Promise<void> {
  await tx.query('insert into reasons (workspace_id, description) select $1, unnest($2::text[])', [
    workspaceId,
    demoReasons,
  ]);
  const activities: object[] = [];
  for (const entry of history) {
    if (entry.kind === 'shoutout') activities.push(shoutoutRow(entry, memberIds));
    else activities.push(...(await addOrder(tx, keys, workspaceId, memberIds, entry)));
  }
  await tx.query(addActivitiesSql, [workspaceId, JSON.stringify(activities)]);
  await tx.query(countActivitiesSql, [workspaceId]);
  await tx.query(recognizeMembersSql, [workspaceId]);
  await tx.query(noteShoutoutsSql, [workspaceId]);
  await tx.query(countGapsSql, [workspaceId]);
}

function shoutoutRow(shoutout: DemoShoutout, memberIds: number[]): object {
  return {
    type: 'SHOUTOUT',
    status: shoutout.status,
    sender_id: memberIds[shoutout.sender],
    receiver_id: memberIds[shoutout.receiver],
    reason: shoutout.reason,
    is_private: shoutout.isPrivate,
    description: shoutout.text,
    created_on: shoutout.at,
  };
}

/** An order as it would stand had it been accepted and fulfilled on that day. */
async function addOrder(
  tx: Queryable,
  keys: GiftTokenKeys,
  workspaceId: number,
  memberIds: number[],
  { at, requestId, currency, gifts }: DemoOrder,
): Promise<object[]> {
  const body = {
    currency,
    orderItems: gifts.map(({ receiver, amount, message }) => ({
      message,
      amount,
      recipient: { employeeNumber: String(1001 + receiver) },
    })),
  };
  const [request] = await tx.query<{ senderId: number }>(
    `insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name, currency, language,
                                 body, accepted_at)
     select workspace_id, $2, token_id, member_id, 'Demo', $3, 'EN_CA', $4, $5
       from api_token_workspaces
      where workspace_id = $1
     returning sender_id as "senderId"`,
    [workspaceId, requestId, currency, JSON.stringify(body), at],
  );
  await tx.query(
    `insert into orders (workspace_id, request_id, id, gift_count, finished_at)
     values ($1, $2, nextval('order_ids'), $3, $4)`,
    [workspaceId, requestId, gifts.length, at],
  );
  for (const [position, { receiver, amount, message }] of gifts.entries()) {
    const [next] = await tx.query<{ id: number }>(`select nextval('certificate_ids') as id`);
    const id = next?.id as number;
    await tx.query(
      `insert into certificates (workspace_id, request_id, position, id, member_id, amount, message,
                                 key_version, short_token_hash)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        workspaceId,
        requestId,
        position,
        id,
        memberIds[receiver],
        amount,
        message,
        keys.current,
        shortTokenHash(keys, keys.current, id).toString(),
      ],
    );
  }
  return gifts.map(({ receiver }, position) => ({
    type: 'GIFT',
    status: 'APPROVED',
    sender_id: request?.senderId,
    receiver_id: memberIds[receiver],
    is_private: false,
    request_id: requestId,
    position,
    created_on: at,
  }));
}

const addActivitiesSql = `
  insert into activities (workspace_id, number, type, status, sender_id, receiver_id, reason_id,
                          is_private, description, request_id, position, created_on)
  select $1, row_number() over (order by a.created_on, a.request_id, a.position), a.type, a.status, a.sender_id, a.receiver_id,
         coalesce(r.id, w.default_reason_id),
         a.is_private, a.description, a.request_id, a.position, a.created_on
    from jsonb_to_recordset($2::jsonb) as a (
           type text, status text, sender_id bigint, receiver_id bigint, reason text, is_private boolean,
           description text, request_id uuid, position int, created_on timestamptz)
    join workspaces w on w.id = $1
    left join reasons r on r.workspace_id = $1 and r.description = a.reason`;

const countActivitiesSql = `
  update activity_counters c
     set total = a.total, latest = a.latest, declined = a.declined
    from (select count(*) as total, max(created_on) as latest, count(*) filter (where status = 'DECLINED') as declined
            from activities
           where workspace_id = $1) a
   where c.workspace_id = $1`;

const recognizeMembersSql = `
  with recognized as (
  update members m
     set recognition_count = a.recognitions, last_recognized_on = a.latest_on, last_recognized_by = a.latest_type,
         last_recognized_number = a.latest_number
    from (select receiver_id,
                 count(*) as recognitions,
                 max(number) as latest_number,
                 (max(created_on) at time zone 'utc')::date as latest_on,
                 (array_agg(type order by number desc))[1] as latest_type
            from activities
           where workspace_id = $1 and status = 'APPROVED'
           group by receiver_id) a
    join members before on before.workspace_id = $1 and before.id = a.receiver_id
   where m.workspace_id = before.workspace_id
     and m.id = before.id
  returning ${dayChange('before', 'm')})
  ${moveDays('recognized')}`;

const noteShoutoutsSql = `
  insert into shoutouts (workspace_id, number, token_id, body, decided_by, decided_at)
  select a.workspace_id, a.number, t.token_id,
         jsonb_build_object('message', a.description, 'isPrivate', a.is_private, 'reasonId', a.reason_id,
                            'recipient', jsonb_build_object('email', receiver.email),
                            'sender', jsonb_build_object('email', sender.email)),
         case when a.status <> 'PENDING' then t.member_id end,
         case when a.status <> 'PENDING' then a.created_on + interval '1 hour' end
    from activities a
    join api_token_workspaces t on t.workspace_id = a.workspace_id
    join members sender   on sender.workspace_id = a.workspace_id and sender.id = a.sender_id
    join members receiver on receiver.workspace_id = a.workspace_id and receiver.id = a.receiver_id
   where a.workspace_id = $1
     and a.type = 'SHOUTOUT'`;
