import type { Queryable } from '../database/database.ts';

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
  await tx.query(addByEmailSql, [workspaceIds, requestIds]);
  await tx.query(recordEmployeeNumbersSql, [workspaceIds, requestIds]);
  await tx.query(addByEmployeeNumberSql, [workspaceIds, requestIds]);
}

/** The recipients of the requests in $1 and $2, numbered in the order in which they were sent. */
const recipients = `
  select r.workspace_id,
         w.default_team_id,
         item.value #>> '{recipient,email}'                    as email,
         item.value #>> '{recipient,employeeNumber}'           as employee_number,
         coalesce(item.value #>> '{recipient,firstName}', '')  as first_name,
         coalesce(item.value #>> '{recipient,lastName}', '')   as last_name,
         row_number() over (order by r.request_id, item.ordinality) as sent
    from unnest($1::bigint[], $2::uuid[]) as asked (workspace_id, request_id)
    join order_requests r using (workspace_id, request_id)
    join workspaces w on w.id = r.workspace_id
   cross join jsonb_array_elements(r.body -> 'orderItems') with ordinality as item`;

const addByEmailSql = `
  with recipients as (${recipients})
  insert into members (workspace_id, team_id, email, first_name, last_name)
  select distinct on (workspace_id, lower(email)) workspace_id, default_team_id, email, first_name, last_name
    from recipients r
   where email is not null
     and not exists (select from members m where m.workspace_id = r.workspace_id and lower(m.email) = lower(r.email))
   order by workspace_id, lower(email), sent
  on conflict do nothing`;

const recordEmployeeNumbersSql = `
  with recipients as (${recipients}),
  for_each_number as (
    select distinct on (r.workspace_id, r.employee_number) m.id, r.employee_number, r.sent
      from recipients r
      join members m on m.workspace_id = r.workspace_id and lower(m.email) = lower(r.email)
     where r.employee_number is not null
       and m.employee_number is null
       and not exists (select from members o
                        where o.workspace_id = r.workspace_id and o.employee_number = r.employee_number)
     order by r.workspace_id, r.employee_number, r.sent
  ),
  for_each_member as (
    select distinct on (id) id, employee_number from for_each_number order by id, sent
  )
  update members m
     set employee_number = f.employee_number
    from for_each_member f
   where m.id = f.id`;

const addByEmployeeNumberSql = `
  with recipients as (${recipients})
  insert into members (workspace_id, team_id, employee_number, first_name, last_name)
  select distinct on (workspace_id, employee_number) workspace_id, default_team_id, employee_number, first_name, last_name
    from recipients r
   where email is null
     and not exists (select from members m
                      where m.workspace_id = r.workspace_id and m.employee_number = r.employee_number)
   order by workspace_id, employee_number, sent
  on conflict do nothing`;
