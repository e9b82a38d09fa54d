import type { SealedRecord } from '../../company/workspaces/seals.ts';
import { storedColumns } from '../../giving/budgets/entries.ts';
import { changeOf, entryHash } from '../../giving/budgets/entry.ts';
import { giftRecord } from '../../giving/gifts/sealed.ts';
import { orderRecord } from '../../giving/orders/sealed.ts';
import { accounts } from '../../ground/contract/ledger-entry.ts';
import { codeRecord } from '../../spending/code-pools/sealed.ts';
import { redemptionRecord } from '../../spending/redemptions/sealed.ts';
import { approvalProblems } from './approval-checks.ts';
import {
  giftProblems,
  isFirstOfHistory,
  mostFindings,
  ofWorkspace,
  redemptionProblems,
  rowsOf,
  type Within,
} from './checks.ts';
import { exportProblems, lineProblems } from './payroll-checks.ts';
import { compareSome, idIn, sealChain } from './seal-checks.ts';
import { sealedRecords } from './sealed.ts';
import { shareProblems } from './share-checks.ts';

/** Statements about a piece: of the workspace `$1`, after the key `$2`, up to the key `$3`. Null: from the first, to the last. */
const between =
  (type: 'uuid' | 'bigint'): Within =>
  (id) =>
    `($2::${type} is null or ${id} > $2::${type}) and ($3::${type} is null or ${id} <= $3::${type})`;

export const someOrders = between('uuid');
const someIds = between('bigint');

/** The keys of orders and of groups of their gifts, as text: a dash and a slash sort before digits. */
const ofSomeOrders = `($2::uuid is null or line.key collate "C" > $2::text || '0') and ($3::uuid is null or line.key collate "C" < $3::text || '0')`;

const sealedOrders = ofWorkspace(
  compareSome(
    rowsOf,
    [
      { record: orderRecord, rows: someOrders('r.request_id') },
      { record: giftRecord, rows: someOrders('c.request_id') },
    ],
    ofSomeOrders,
  ),
);

const sealedByIds = (record: SealedRecord, id: string) =>
  ofWorkspace(compareSome(rowsOf, [{ record, rows: someIds(id) }], someIds(`(${idIn('line.key')})`)));

/** What the pieces of a subject go through: the next key, and statements that find problems. */
export interface Subject {
  name: 'seals' | 'orders' | 'redemptions' | 'codes';
  /** The key that is `$3` rows after `$2`; no row: fewer are left. */
  next: string;
  /** How many rows are counted. Of orders, their gifts are. */
  count: string;
  checks: readonly string[];
}

const subject = (
  name: Subject['name'],
  table: string,
  key: string,
  type: string,
  checks: readonly string[],
): Subject => ({
  name,
  next: `
  select ${key}::text as upto
    from ${table}
   where workspace_id = $1 and ($2::${type} is null or ${key} > $2::${type})
   order by ${key}
  offset $3 - 1
   limit 1`,
  count: `
  select count(*) as count
    from ${name === 'orders' ? 'certificates' : table}
   where workspace_id = $1 and ${between(type as 'uuid')(key)}`,
  checks,
});

export const subjects: readonly Subject[] = [
  subject('seals', 'seals', 'number', 'bigint', [
    ofWorkspace(
      sealChain(
        `(select * from seals
           where workspace_id = $1 and ($2::bigint is null or number >= $2::bigint) and ($3::bigint is null or number <= $3::bigint))`,
        isFirstOfHistory,
        '$2::bigint is null or s.number > $2::bigint',
      ),
    ),
  ]),
  subject('orders', 'order_requests', 'request_id', 'uuid', [giftProblems(someOrders), sealedOrders]),
  subject('redemptions', 'redemptions', 'id', 'bigint', [
    redemptionProblems(someIds),
    ofWorkspace(lineProblems(rowsOf, someIds)),
    sealedByIds(redemptionRecord, 'd.id'),
  ]),
  subject('codes', 'pool_codes', 'id', 'bigint', [sealedByIds(codeRecord, 'k.id')]),
];

const inPieces: readonly SealedRecord[] = [orderRecord, giftRecord, redemptionRecord, codeRecord];

/** What is compared at once, because a workspace has few of them: budgets, the shares of people in them, spending options, pools, exports, approvals and the checkpoint. `$1`: the workspace. */
export const checksAtOnce: readonly string[] = [
  ofWorkspace(exportProblems(rowsOf)),
  ofWorkspace(approvalProblems(rowsOf)),
  ofWorkspace(shareProblems(rowsOf)),
  ofWorkspace(
    compareSome(
      rowsOf,
      sealedRecords.filter((record) => !inPieces.includes(record)).map((record) => ({ record, rows: 'true' })),
      'true',
    ),
  ),
];

/** The entry that is `$4` entries after number `$3` of the budget `$2`. */
export const nextEntry = `
  select budget_id as "budgetId", number
    from ledger_entries
   where workspace_id = $1 and (budget_id, number) > ($2::bigint, $3::bigint)
   order by budget_id, number
  offset $4 - 1
   limit 1`;

const running = (account: (typeof accounts)[number]) =>
  `case when e.budget_id = $2::bigint then coalesce(($7::json ->> '${account}')::numeric, 0) else 0 end
             + coalesce(sum(${changeOf(account, 'e')}) filter (where is_new) over chain, 0)`;

/**
 * Entries after number `$3` of budget `$2`, up to number `$6` of budget `$5` (null: to the last): their chains, and their balances, which are at
 * the end of a book those that `$4`, the content of a checkpoint, has. `$7`: the balances after the first of them. Later entries are compared
 * with that content.
 */
export const entriesPiece = `
  with books as (
    select * from json_to_recordset($4::json -> 'books') as b ("budgetId" bigint, number bigint, hash text, ${accounts
      .map((account) => `${account} numeric`)
      .join(', ')})
  ),
  piece as materialized (
    select *, (budget_id, number) > ($2::bigint, $3::bigint) as is_new
      from ledger_entries
     where workspace_id = $1
       and (budget_id, number) >= ($2::bigint, $3::bigint)
       and ($5::bigint is null or (budget_id, number) <= ($5::bigint, $6::bigint))
  ),
  compared as materialized (
    select e.budget_id, e.number, e.is_new, b.id is null as is_lost, e.number = k.number as is_last, e.number > coalesce(k.number, 0) as is_later,
           e.hash, decode(k.hash, 'hex') as known, coalesce(lag(e.number) over chain, 0) + 1 as expected,
           e.previous = coalesce(lag(e.hash) over chain, decode(repeat('00', 32), 'hex')) as follows,
           e.hash = ${entryHash(storedColumns)} as is_whole,
           cardinality(e.amounts) = 0 or e.amount = (select sum(line) from unnest(e.amounts) as line) as adds_up,
           ${accounts.map((account) => `${running(account)} as ${account}, k.${account} as known_${account}`).join(', ')}
      from piece e
      left join budgets b on b.workspace_id = $1 and b.id = e.budget_id
      left join books k on k."budgetId" = e.budget_id
    window chain as (partition by e.budget_id order by e.number)
  ),
  found as (
    select $1::bigint as "workspaceId", budget_id as "budgetId", number,
           case when is_lost then 'The entry belongs to no book.'
                when number <> expected and not ${isFirstOfHistory('compared.number')} then format('An entry before %s is missing.', number)
                when not follows then 'The entry does not carry the hash of the entry before it.'
                when not is_whole then 'The fields of the entry do not have its hash: it was changed.'
                when not adds_up then 'The amount of the entry is not the sum of its lines.'
                when is_last and hash <> known then 'The head of the book is not the hash of its latest entry.'
                ${accounts.map((account) => `when ${account} < 0 then 'The balance "${account}" is negative after the entry.'`).join(' ')}
                ${accounts
                  .map(
                    (account) =>
                      `when is_last and ${account} <> known_${account} then format('The balance "${account}" is %s, and the entries add up to %s.', known_${account}, ${account})`,
                  )
                  .join(' ')}
           end as problem
      from compared
     where is_new and (is_lost or not is_later)
  )
  select (select coalesce(json_agg(f), '[]') from (select * from found where problem is not null limit ${mostFindings}) f) as faults,
         (select count(*) from compared where is_new) as rows,
         (select json_build_object(${accounts.map((account) => `'${account}', ${account}`).join(', ')})::text
            from compared order by budget_id desc, number desc limit 1) as balances`;
