import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { plainText } from '../../ground/values/text.ts';
import { makeErasureKey } from '../workspaces/erasure-key.ts';
import { addressKey } from './who.ts';

/*
 * Erased people do not come back through an old file or a repeated SCIM sync. A hash of each address, login, employee number and id at the identity
 * provider, made with a random key of the workspace, tells that it belonged to an erased person. A hire date after the erasure tells a new person with the same address from a
 * repeated row, and so does adding the person by hand.
 */

interface Identity {
  email?: string | null | undefined;
  employeeNumber?: string | null | undefined;
  externalId?: string | null | undefined;
  hireDate?: string | null | undefined;
}

// Without regard to case and to the form of accents, numbers too: a system that sends them in another form does not bring a person back.
const markOf = (kind: 'email' | 'number' | 'external', value: string) =>
  `sha256(w.erasure_key || convert_to('${kind} ' || ${kind === 'external' ? value : addressKey(`normalize(${value}, NFC)`)}, 'UTF8'))`;

/** Remembers the addresses, logins and numbers of records that are about to be erased. The caller holds the workspace's lock. */
export async function markErased(
  tx: Queryable,
  workspaceId: number,
  id: number,
  records: readonly number[],
): Promise<void> {
  await makeErasureKey(tx, workspaceId);
  await tx.query(markSql, [workspaceId, id, records]);
}

const markSql = `
  with texts as (
    select m.email_key as email, m.employee_number as number, m.external_id as external from members m where m.workspace_id = $1 and m.id = any($3::bigint[])
     union
    select ${addressKey('m.user_name')}, null, null from members m where m.workspace_id = $1 and m.id = any($3::bigint[])
     union
    select f.email_key, null, null from former_addresses f where f.workspace_id = $1 and f.member_id = any($3::bigint[])
     union
    select ${addressKey('e.value')}, null, null from member_emails e where e.workspace_id = $1 and e.member_id = any($3::bigint[])
  )
  insert into erased_marks (workspace_id, mark, member_id, erased_on)
  select distinct on (mark) $1::bigint, mark, $2::bigint, (now() at time zone w.time_zone)::date
    from workspaces w
   cross join texts
   cross join lateral (values (${markOf('email', 'texts.email')}), (${markOf('number', 'texts.number')}), (${markOf('external', 'texts.external')})) as made (mark)
   where w.id = $1
     and mark is not null
  on conflict (workspace_id, mark) do update set member_id = excluded.member_id, erased_on = excluded.erased_on`;

/**
 * The day on which each of these people was erased, if an address or a number says that they were and no later hire date says that they are another
 * person; null for the others. Same order.
 */
export async function findErased(
  tx: Queryable,
  workspaceId: number,
  people: readonly Identity[],
): Promise<(string | null)[]> {
  if (people.length === 0) return [];
  const { has } = await queryOne<{ has: boolean }>(
    tx,
    'select exists (select from erased_marks where workspace_id = $1) as has',
    [workspaceId],
  );
  if (!has) return people.map(() => null);
  const rows = await tx.query<{ day: string | null }>(findSql, [
    workspaceId,
    people.map(({ email }) => (email ? plainText(email) : null)),
    people.map(({ employeeNumber }) => (employeeNumber ? plainText(employeeNumber) : null)),
    people.map(({ hireDate }) => hireDate ?? null),
    people.map(({ externalId }) => externalId ?? null),
  ]);
  return rows.map(({ day }) => day);
}

/** What the person has to do who sent the data of an erased person. */
export function erasedText(day: string): string {
  return `this person was erased on ${day}. For a new person with this address or number, send a hire date after that day, or add them by hand`;
}

const findSql = `
  select (select max(e.erased_on)::text
            from workspaces w
            join erased_marks e on e.workspace_id = w.id
           where w.id = $1
             and e.mark in (${markOf('email', 'asked.email')}, ${markOf('number', 'asked.number')}, ${markOf('external', 'asked.external')})
             and (asked.hired is null or asked.hired::date <= e.erased_on)) as day
    from unnest($2::text[], $3::text[], $4::text[], $5::text[]) with ordinality as asked (email, number, hired, external, nth)
   order by asked.nth`;
