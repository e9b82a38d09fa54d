import { addressKey } from '../../company/directory/who.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import type { Traces } from './scrub.ts';

/** Shorter addresses, logins and numbers are in too many texts of others. A full name is of two words, and can be short. */
const shortestText = 5;

/** What identifies a person in texts: of all their records and accounts. */
export async function readTraces(
  on: Queryable,
  workspaceId: number,
  records: readonly number[],
  accounts: readonly number[],
): Promise<Traces> {
  const { names, texts, values } = await queryOne<Record<'names' | 'texts' | 'values', string[] | null>>(
    on,
    tracesSql,
    [workspaceId, records, accounts],
  );
  const given = (all: string[] | null, shortest: number) =>
    (all ?? []).map((text) => text.trim()).filter((text) => text.length >= shortest);
  return {
    texts: [...new Set([...given(names, 2), ...given(texts, shortestText)])],
    values: [...new Set(given(values, 2))],
  };
}

const tracesSql = `
  with people as (
    select * from members m where m.workspace_id = $1 and m.id = any($2::bigint[])
  ),
  names as (
    select unnest(array[
             case when p.first_name <> '' and p.last_name <> '' then p.first_name || ' ' || p.last_name end,
             case when p.first_name <> '' and p.last_name <> '' then p.last_name || ', ' || p.first_name end,
             -- Chinese, Japanese and Korean names.
             case when p.first_name || p.last_name ~ '^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}$' then p.last_name || p.first_name end,
             case when p.first_name || p.last_name ~ '^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}$' then p.last_name || ' ' || p.first_name end,
             case when p.preferred_name like '% %' then p.preferred_name end,
             case when p.preferred_name is not null and p.last_name <> '' then p.preferred_name || ' ' || p.last_name end,
             case when p.display_name like '% %' then p.display_name end,
             case when p.formatted_name like '% %' then p.formatted_name end]) as text
      from people p
     union all
    select case when u.name like '% %' then u.name end from users u where u.id = any($3::bigint[])
  ),
  texts as (
    select unnest(array[
             p.email, p.user_name, p.phone_number, p.picture_url,
             -- A number of digits alone can be an amount.
             case when p.employee_number ~ '[0-9]' and p.employee_number ~ '[^0-9]' then p.employee_number end]) as text
      from people p
     union all
    select f.email_key from former_addresses f where f.workspace_id = $1 and f.member_id = any($2::bigint[])
     union all
    select e.value from member_emails e where e.workspace_id = $1 and e.member_id = any($2::bigint[])
     union all
    select u.email from users u where u.id = any($3::bigint[])
  ),
  wholes as (
    -- Parties of an order have numbers with this prefix (approvals).
    select unnest(array[p.employee_number, 'n:' || p.employee_number, p.external_id, p.first_name, p.last_name, p.preferred_name, p.display_name, p.phone_number,
                        ${addressKey('p.user_name')}]) as text
      from people p
     union all
    select u.name from users u where u.id = any($3::bigint[])
  )
  select (select json_agg(text) from names where text is not null)  as names,
         (select json_agg(text) from texts where text is not null)  as texts,
         (select json_agg(text) from wholes where text is not null) as values`;
