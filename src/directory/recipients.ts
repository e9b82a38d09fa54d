import type { Queryable } from '../database/database.ts';

/**
 * A statement's text that names people as a sender knows them, with its parameters. Its columns: workspace_id, email,
 * employee_number, first_name, last_name, and sent, the order in which they were named.
 */
export interface Recipients {
  sql: string;
  values: readonly unknown[];
}

/**
 * Adds every recipient that nobody knows yet. The caller holds the locks of their workspaces, so that no two add the
 * same person.
 *
 * People with an e-mail come first: an employee number beside it is theirs if they have none and nobody else has it.
 * Then those known by their employee number alone.
 */
export async function addUnknownRecipients(tx: Queryable, { sql, values }: Recipients): Promise<void> {
  const [needs] = await tx.query<Needs>(withRecipients(sql, needsSql), values);
  if (needs?.people) await tx.query(withRecipients(sql, addByEmailSql), values);
  if (needs?.numbers) await recordEmployeeNumbers(tx, { sql, values });
  if (needs?.numbers) await tx.query(withRecipients(sql, addByEmployeeNumberSql), values);
}

interface Needs {
  people: boolean | null;
  numbers: boolean | null;
}

function withRecipients(sql: string, statement: string): string {
  return `with recipients as (select *, lower(email) as email_key from (${sql}) named)${statement}`;
}

const defaultTeam = '(select default_team_id from workspaces where id = r.workspace_id)';

/** Most recipients are known, and nothing has to be done: this looks at them once. */
const needsSql = `
  select bool_or(r.email is not null
                 and not exists (select from members m
                                  where m.workspace_id = r.workspace_id and m.email_key = r.email_key)) as people,
         bool_or(r.employee_number is not null
                 and not exists (select from members m
                                  where m.workspace_id = r.workspace_id
                                    and m.employee_number = r.employee_number)) as numbers
    from recipients r`;

const addByEmailSql = `
  insert into members (workspace_id, team_id, email, first_name, last_name)
  select distinct on (workspace_id, email_key) workspace_id, ${defaultTeam}, email, first_name, last_name
    from recipients r
   where email is not null
     and not exists (select from members m where m.workspace_id = r.workspace_id and m.email_key = r.email_key)
   order by workspace_id, email_key, sent
  on conflict do nothing`;

/** In the order in which they were sent: each number to the first who may have it, each member at most one. */
async function recordEmployeeNumbers(tx: Queryable, { sql, values }: Recipients): Promise<void> {
  const free = await tx.query<{ id: number; workspaceId: number; number: string }>(
    withRecipients(sql, freeNumbersSql),
    values,
  );
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
  select m.id, r.workspace_id as "workspaceId", r.employee_number as number
    from recipients r
    join members known on known.workspace_id = r.workspace_id and known.email_key = r.email_key
    join members m     on m.workspace_id = r.workspace_id and m.id = coalesce(known.merged_into, known.id)
   where r.employee_number is not null
     and m.employee_number is null
     and not exists (select from members o
                      where o.workspace_id = r.workspace_id and o.employee_number = r.employee_number)
   order by r.sent`;

const recordNumbersSql = `
  update members m
     set employee_number = found.number, changed_at = now()
    from unnest($1::bigint[], $2::bigint[], $3::text[]) as found (workspace_id, id, number)
   where m.workspace_id = found.workspace_id
     and m.id = found.id`;

const addByEmployeeNumberSql = `
  insert into members (workspace_id, team_id, employee_number, first_name, last_name)
  select distinct on (workspace_id, employee_number) workspace_id, ${defaultTeam}, employee_number, first_name, last_name
    from recipients r
   where email is null
     and not exists (select from members m
                      where m.workspace_id = r.workspace_id and m.employee_number = r.employee_number)
   order by workspace_id, employee_number, sent
  on conflict do nothing`;
