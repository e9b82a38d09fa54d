import type { Queryable } from '../database/database.ts';
import { lookUp } from '../database/look-up.ts';

/**
 * Adds every recipient of these requests that nobody knows yet. The caller holds the locks of their workspaces
 * (activity_counters), so that two fulfilments never add the same person; `on conflict` is for other writers.
 *
 * People with an e-mail come first: an employee number beside it is theirs if they have none and nobody else has it.
 * Then those known by their employee number alone.
 */
export async function addUnknownRecipients(
  tx: Queryable,
  workspaceIds: readonly number[],
  requestIds: readonly string[],
): Promise<void> {
  const requests = [workspaceIds, requestIds];
  const [needs] = await tx.query<Needs>(needsSql, requests);
  if (needs?.people) await tx.query(addByEmailSql, requests);
  if (needs?.numbers) await recordEmployeeNumbers(tx, requests);
  if (needs?.numbers) await tx.query(addByEmployeeNumberSql, requests);
}

interface Needs {
  people: boolean | null;
  numbers: boolean | null;
}

/** The recipients of the requests in $1 and $2, numbered in the order in which they were sent. */
const recipients = `
  select r.workspace_id,
         item.value #>> '{recipient,email}'                    as email,
         lower(item.value #>> '{recipient,email}')             as email_key,
         item.value #>> '{recipient,employeeNumber}'           as employee_number,
         coalesce(item.value #>> '{recipient,firstName}', '')  as first_name,
         coalesce(item.value #>> '{recipient,lastName}', '')   as last_name,
         row_number() over (order by r.request_id, item.ordinality) as sent
    from unnest($1::bigint[], $2::uuid[]) as asked (workspace_id, request_id)
   cross join lateral (${lookUp('order_requests', 'asked')}) r
   cross join jsonb_array_elements(r.body -> 'orderItems') with ordinality as item`;

const defaultTeam = '(select default_team_id from workspaces where id = r.workspace_id)';

/** Most recipients are known, and nothing has to be done: this looks at them once. */
const needsSql = `
  with recipients as (${recipients})
  select bool_or(r.email is not null
                 and not exists (select from members m
                                  where m.workspace_id = r.workspace_id and m.email_key = r.email_key)) as people,
         bool_or(r.employee_number is not null
                 and not exists (select from members m
                                  where m.workspace_id = r.workspace_id
                                    and m.employee_number = r.employee_number)) as numbers
    from recipients r`;

const addByEmailSql = `
  with recipients as (${recipients})
  insert into members (workspace_id, team_id, email, first_name, last_name)
  select distinct on (workspace_id, email_key) workspace_id, ${defaultTeam}, email, first_name, last_name
    from recipients r
   where email is not null
     and not exists (select from members m where m.workspace_id = r.workspace_id and m.email_key = r.email_key)
   order by workspace_id, email_key, sent
  on conflict do nothing`;

/** In the order in which they were sent: each number to the first who may have it, each member at most one. */
async function recordEmployeeNumbers(tx: Queryable, requests: unknown[]): Promise<void> {
  const free = await tx.query<{ id: number; workspaceId: number; number: string }>(freeNumbersSql, requests);
  const given = new Map<number, (typeof free)[number]>();
  const taken = new Set<string>();
  for (const one of free) {
    const key = `${one.workspaceId}:${one.number}`;
    if (given.has(one.id) || taken.has(key)) continue;
    given.set(one.id, one);
    taken.add(key);
  }
  const chosen = [...given.values()];
  if (chosen.length === 0) return;
  await tx.query(recordNumbersSql, [
    chosen.map(({ workspaceId }) => workspaceId),
    chosen.map(({ id }) => id),
    chosen.map(({ number }) => number),
  ]);
}

const freeNumbersSql = `
  with recipients as (${recipients})
  select m.id, r.workspace_id as "workspaceId", r.employee_number as number
    from recipients r
    join members m on m.workspace_id = r.workspace_id and m.email_key = r.email_key
   where r.employee_number is not null
     and m.employee_number is null
     and not exists (select from members o
                      where o.workspace_id = r.workspace_id and o.employee_number = r.employee_number)
   order by r.sent`;

const recordNumbersSql = `
  update members m
     set employee_number = found.number
    from unnest($1::bigint[], $2::bigint[], $3::text[]) as found (workspace_id, id, number)
   where m.workspace_id = found.workspace_id
     and m.id = found.id`;

const addByEmployeeNumberSql = `
  with recipients as (${recipients})
  insert into members (workspace_id, team_id, employee_number, first_name, last_name)
  select distinct on (workspace_id, employee_number) workspace_id, ${defaultTeam}, employee_number, first_name, last_name
    from recipients r
   where email is null
     and not exists (select from members m
                      where m.workspace_id = r.workspace_id and m.employee_number = r.employee_number)
   order by workspace_id, employee_number, sent
  on conflict do nothing`;
