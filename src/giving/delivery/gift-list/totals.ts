import type { GiftTotals } from '../../../ground/contract/gift-totals.ts';
import { type Queryable, queryOne } from '../../../ground/database/database.ts';
import { currencyOf, stateAt } from '../../gifts/gift.ts';
import { type Bind, conditionsOf, type GiftFilters, giftOfKey, keysSql, readRange } from './list.ts';
import { deliveryOfMail, giftMail } from './records.ts';

/** How many keys are examined at most, in about 200 ms. */
const mostExamined = 20_000;

/** How many gifts fit the filters of a list, and what they are worth, by what has become of them. */
export async function countGifts(
  on: Queryable,
  workspaceId: number,
  query: GiftFilters,
  { examined = mostExamined }: { examined?: number } = {},
): Promise<GiftTotals> {
  const range = { examined, ...(await readRange(on, workspaceId, query)) };
  const values: unknown[] = [];
  const bind: Bind = (value, type) => `$${values.push(value)}::${type}`;
  const state = stateAt('c', bind(range.moment, 'timestamptz'));
  const row = await queryOne<{ read: number; totals: GiftTotals['totals'] }>(
    on,
    `with key as materialized (${keysSql(query, range, bind, `limit ${examined}`)}),
          found as (
            select ${state} as state,
                   case when ${state} = 'ISSUED' then ${deliveryOfMail} end as delivery,
                   ${currencyOf('c', bind(range.workspaceId, 'bigint'))} as currency,
                   c.amount,
                   c.redeemed
              from key
              ${giftOfKey(range, bind)}
              ${giftMail(bind(range.workspaceId, 'bigint'))}
             where ${['true', ...conditionsOf(query, range, bind)].join(' and ')}),
          total as (
            select state, delivery, currency, count(*) as gifts, sum(amount) as amount, sum(redeemed) as redeemed
              from found
             group by state, delivery, currency)
     select (select count(*) from key) as read,
            (select coalesce(json_agg(total order by gifts desc, state, delivery, currency), '[]') from total) as totals`,
    values,
    'once',
  );
  const { read, totals } = row;
  return { gifts: totals.reduce((all, { gifts }) => all + gifts, 0), isMinimum: read >= examined, totals };
}
