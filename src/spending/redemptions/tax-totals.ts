import { hasWords, wordsOf } from '../../company/directory/search.ts';
import { isSurvivor } from '../../company/directory/who.ts';
import { readSpan } from '../../company/workspaces/span.ts';
import { stateAt } from '../../giving/gifts/gift.ts';
import type { TaxTotalsPage, TaxTotalsQuery } from '../../ground/contract/tax-totals.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { pageFields } from '../../ground/values/page.ts';
import { taxParts } from './tax-log.ts';

interface Row extends Pick<TaxTotalsPage, 'people' | 'sums'> {
  found: number;
}

/**
 * What each person got in a year, by tax type: by currency, the largest sum first, beside the limits of the workspace. It counts what the tax log
 * lists. All gifts of the year are read: the largest sum can be any person's.
 */
export async function readTaxTotals(on: Queryable, workspaceId: number, query: TaxTotalsQuery): Promise<TaxTotalsPage> {
  const { year, show = null, page, size } = query;
  const { moment, first, end } = await readSpan(on, workspaceId, { from: `${year}-01-01`, to: `${year}-12-31` });
  const values: unknown[] = [workspaceId, moment, first, end, show, page * size, size];
  const words = wordsOf(query.search);
  const named =
    words.length === 0
      ? 'true'
      : hasWords(words, (value) => `$${values.push(value)}::${Array.isArray(value) ? 'text[]' : 'text'}`);
  const { found, people, sums } = await queryOne<Row>(on, totalsSql(named), values, 'once');
  return { ...pageFields({ page, size }, found), people, sums };
}

/** From this share of a limit on, a person is near it. */
const near = 0.8;

const typeColumns = `
  coalesce(sum(amount) filter (where type = 'CASH'), 0)      as cash,
  coalesce(sum(amount) filter (where type = 'NEAR_CASH'), 0) as near_cash,
  coalesce(sum(amount) filter (where type = 'NON_CASH'), 0)  as non_cash,
  coalesce(sum(amount) filter (where type = 'UNSPENT'), 0)   as unspent,
  sum(amount)                                                as total`;

const typeFields = `
  'cash', cash, 'nearCash', near_cash, 'nonCash', non_cash, 'unspent', unspent, 'total', total`;

/** One statement, so that the sums and the page are of one moment and the gifts of the year are read once. */
const totalsSql = (named: string) => `
  with part as materialized (
    select m.id, r.currency, part.type, part.amount, c.id as gift
      ${taxParts}
     where m.workspace_id = $1
       and ${isSurvivor('m')}
       and ${stateAt('c', '$2::timestamptz')} not in ('EXPIRED', 'CANCELLED')
       and c.request_id >= $3::uuid
       and c.request_id < $4::uuid),
  person as (
    select id, currency, count(distinct gift) as gifts, ${typeColumns},
           (select (l ->> 'amount')::numeric
              from workspaces w
             cross join jsonb_array_elements(w.tax_limits) l
             where w.id = $1
               and l ->> 'currency' = currency) as most
      from part
     group by id, currency),
  standing as (
    select *,
           case when total > most then 'OVER' when total >= most * ${near} then 'NEAR' end as standing
      from person),
  found as (
    select p.*, m.employee_number, m.first_name, m.last_name, m.department
      from standing p
      join members m on m.workspace_id = $1 and m.id = p.id
      left join member_texts t on t.workspace_id = $1 and t.member_id = m.id
     where ($5::text is null or p.standing = $5)
       and ${named}),
  page as (
    select * from found order by currency, total desc, id offset $6::bigint limit $7::bigint),
  summed as (
    select currency, count(*) as people, sum(gifts) as gifts,
           sum(cash) as cash, sum(near_cash) as near_cash, sum(non_cash) as non_cash, sum(unspent) as unspent,
           sum(total) as total, max(most) as most,
           count(*) filter (where standing = 'OVER') as over,
           count(*) filter (where standing = 'NEAR') as near
      from standing
     group by currency)
  select (select count(*) from found) as found,
         (select coalesce(json_agg(json_build_object(
                   'memberId', id, 'employeeNumber', employee_number, 'firstName', first_name, 'lastName', last_name,
                   'department', department, 'currency', currency, 'gifts', gifts, ${typeFields},
                   'limit', most, 'standing', standing) order by currency, total desc, id), '[]')
            from page) as people,
         (select coalesce(json_agg(json_build_object(
                   'currency', currency, 'people', people, 'gifts', gifts, ${typeFields},
                   'limit', most, 'over', over, 'near', near) order by currency), '[]')
            from summed) as sums`;
