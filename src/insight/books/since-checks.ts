import { noRecord, type SealedRecord, sealHash, sealVersion, textAt } from '../../company/workspaces/seals.ts';
import { storedColumns } from '../../giving/budgets/entries.ts';
import { changeOf, entryHash } from '../../giving/budgets/entry.ts';
import { allWaiting } from '../../giving/orders/queue.ts';
import { accounts } from '../../ground/contract/ledger-entry.ts';
import { openKeys } from './checkpoint.ts';
import { findings, isFirstOfHistory, ofWorkspace } from './checks.ts';
import { isKey, sealChain } from './seal-checks.ts';

/**
 * Statements about what is new since a checkpoint, and about everything that can still be paid out. `$1`: the workspace. `$2`: the content of the
 * checkpoint. They find rows by key, so that they cost the same however much was verified before.
 */
const base = `($2::json ->> 'seals')::bigint`;

export const books = `
  books as (
    select * from json_to_recordset($2::json -> 'books') as b ("budgetId" bigint, number bigint, hash text, ${accounts
      .map((account) => `${account} numeric`)
      .join(', ')})
  )`;

/** Entries since the checkpoint as `e`, with their budget `b`, and the latest one before them, which the first refers to. */
const newEntries = (from: '>' | '>=') => `
  budgets b
    left join books k on k."budgetId" = b.id
   cross join lateral (select *
                         from ledger_entries e
                        where e.workspace_id = $1
                          and e.budget_id = b.id
                          and e.number ${from} coalesce(k.number, 0)) e`;

/** Lines of entries since the checkpoint. */
export const newLines = `
  ${books},
  lines as materialized (
    select e.budget_id, e.number, e.type, line.request_id, line.position, line.amount, line.redemption_id::bigint as redemption_id
      from ${newEntries('>')}
     cross join rows from (unnest(e.requests), unnest(e.positions), unnest(e.amounts),
                           json_array_elements_text(case when e.type in ('REDEEMED', 'REVERSED') then e.detail -> 'redemptions' end))
             as line (request_id, position, amount, redemption_id)
     where b.workspace_id = $1
  )`;

/** The lines of seals since the checkpoint, the latest of each record. */
export const newSeals = `
  touched as materialized (
    select distinct on (record, key) line.record collate "C" as record, line.key collate "C" as key, s.number, s.version, line.hash
      from seals s
     cross join unnest(s.records, s.keys, s.hashes) as line (record, key, hash)
     where s.workspace_id = $1
       and s.number > ${base}
       and ${isKey('line')}
     order by record, key, s.number desc
  )`;

/** Seals since the checkpoint, and the one that it ends with. */
const sealsSince = ofWorkspace(`
  ${sealChain(`(select * from seals where workspace_id = $1 and number >= ${base})`, isFirstOfHistory, `s.number > ${base}`)}
   union all
  select $1, format('Seal %s is not the one that was verified before.', number)
    from seals
   where workspace_id = $1 and number = ${base} and encode(hash, 'hex') <> $2::json ->> 'sealHash'`);

const running = (account: (typeof accounts)[number]) =>
  `coalesce(k.${account}, 0) + coalesce(sum(${changeOf(account, 'e')}) filter (where e.number > coalesce(k.number, 0)) over chain, 0)`;

/** Entries since the checkpoint, the one that each book ended with, and that no balance was negative after one. */
const entriesSince = `
  with ${books}
  ${findings(
    'workspace_id',
    'budget_id',
    'number',
    `case when is_base and hash <> known then 'The entry is not the one that was verified before.'
          when not is_base and number <> before + 1 and not ${isFirstOfHistory('entries.number')}
               then format('An entry before %s is missing.', number)
          when not is_base and previous <> expected then 'The entry does not carry the hash of the entry before it.'
          when hash <> computed then 'The fields of the entry do not have its hash: it was changed.'
          when lines <> amount then 'The amount of the entry is not the sum of its lines.'
          ${accounts.map((account) => `when ${account} < 0 then 'The balance "${account}" is negative after the entry.'`).join(' ')}
     end`,
    `(select e.workspace_id, e.budget_id, e.number, e.hash, e.previous, e.amount, coalesce(e.number = k.number, false) as is_base, decode(k.hash, 'hex') as known,
             coalesce(lag(e.number) over chain, 0) as before, coalesce(lag(e.hash) over chain, ${noRecord}) as expected,
             ${entryHash(storedColumns)} as computed,
             case when cardinality(e.amounts) > 0 then (select sum(line) from unnest(e.amounts) as line) else e.amount end as lines,
             ${accounts.map((account) => `${running(account)} as ${account}`).join(', ')}
        from ${newEntries('>=')}
       where b.workspace_id = $1
      window chain as (partition by e.budget_id order by e.number)) entries`,
  )}`;

/** All balances: those of the checkpoint and what has changed them since. And the heads of all books. */
const balancesSince = `
  with ${books},
  sums as (
    select e.budget_id, max(e.number) as latest, ${accounts.map((account) => `sum(${changeOf(account, 'e')}) as ${account}`).join(', ')}
      from ${newEntries('>')}
     where b.workspace_id = $1
     group by e.budget_id
  )
  ${findings(
    '$1::bigint',
    'coalesce(b.id, k."budgetId")',
    'b.latest',
    `case when b.id is null then 'The budget is not there.'
          when b.latest <> coalesce(s.latest, k.number, 0)
               then format('The latest entry of the book should be %s, and it is %s.', b.latest, coalesce(s.latest, k.number, 0))
          when b.latest > 0 and b.head is distinct from e.hash then 'The head of the book is not the hash of its latest entry.'
          when b.latest > 0 and (b.previous, b.latest_at) is distinct from (e.previous, e.at)
               then 'The book has another hash or time before its next entry than its latest entry says.'
          else (select min(format('The balance "%s" is %s, and the entries add up to %s.', name, kept, summed))
                  from (values ${accounts
                    .map(
                      (account) =>
                        `('${account}', b.${account}, coalesce(k.${account}, 0) + coalesce(s.${account}, 0))`,
                    )
                    .join(', ')}) as balance (name, kept, summed)
                 where kept <> summed)
     end`,
    `(select * from budgets where workspace_id = $1) b
      full join books k on k."budgetId" = b.id
      left join sums s on s.budget_id = b.id
      left join ledger_entries e on e.workspace_id = $1 and e.budget_id = b.id and e.number = b.latest`,
  )}`;

/** What gifts can still be spent is what the budgets say, and what is committed is reserved for orders that wait. */
const openMoney = ofWorkspace(`
  select $1::bigint as workspace_id,
         case when left_over <> issued
                   then format('What is left of the gifts adds up to %s, and the budgets say that %s is issued.', left_over, issued)
         end as problem
    from (select (select coalesce(sum(amount - redeemed), 0) from certificates
                   where workspace_id = $1 and state in ('ISSUED', 'CLAIMED', 'PARTLY_REDEEMED')) as left_over,
                 (select coalesce(sum(issued), 0) from budgets where workspace_id = $1) as issued) sums
   where $2::json is not null
   union all
  select $1, case when b.committed <> coalesce(r.amount, 0)
                  then format('%s of budget %s is committed, and %s is reserved for orders that wait.', b.committed, b.id, coalesce(r.amount, 0))
             end
    from budgets b
    left join (select o.budget_id, sum(o.amount) as amount
                 from ${allWaiting} p
                 join order_budgets o on o.workspace_id = p.workspace_id and o.request_id = p.request_id
                where p.workspace_id = $1
                group by o.budget_id) r on r.budget_id = b.id
   where b.workspace_id = $1`);

/** Every record that was sealed since the checkpoint, and every one that can still be paid out, has the hash that it should have. */
function sealedSince(records: readonly SealedRecord[]): string {
  const called = records.map(({ name, called }) => `when '${name}' then ${called('key')}`).join(' ');
  const present = records.map((record) => `when '${record.name}' then ${sealHash(textAt(record, 'asked.key'))}`);
  return ofWorkspace(`
  with ${newSeals},
  latest as (
    select record, key, number, version, hash from touched
     union all
    select record, key, ${base}, 1, decode(hash, 'hex')
      from (select one ->> 0 as record, one ->> 1 as key, one ->> 2 as hash from json_array_elements($2::json -> 'records') as one) kept
     where (record, key) not in (select record, key from touched)
  ),
  asked as (
    select record, key from latest
     union
    (${records
      .flatMap((record) => openKeys(record))
      .join(`
     union all`)})
  )
  select $1::bigint as workspace_id,
         case when l.hash is null then format('%s can be paid out, and no seal has it as it is: it was changed or added with SQL.', called)
              when l.version > ${sealVersion} or l.hash = coalesce(p.hash, ${noRecord}) then null
              when p.hash is null then format('%s is not there, and seal %s has it.', called, l.number)
              else format('%s was changed after seal %s.', called, l.number)
         end as problem
    from asked
    left join latest l using (record, key)
   cross join lateral (select case record ${present.join(' ')} end as hash) p
   cross join lateral (select case record ${called} end as called) as name`);
}

/** Statements of the workspace and the content of a checkpoint. Those about seals come last, as in a full verification. */
export function sinceChecks(records: readonly SealedRecord[]): readonly string[] {
  return [entriesSince, balancesSince, openMoney, sealsSince, sealedSince(records)];
}
