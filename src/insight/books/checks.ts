import { storedColumns } from '../../giving/budgets/entries.ts';
import { changeOf, entryHash } from '../../giving/budgets/entry.ts';
import { accounts } from '../../ground/contract/ledger-entry.ts';
import { approvalProblems } from './approval-checks.ts';
import { exportProblems, lineProblems } from './payroll-checks.ts';
import { sealChain, sealChecks } from './seal-checks.ts';
import { shareProblems } from './share-checks.ts';

/** Something that does not agree. */
export interface LedgerFault {
  workspaceId: number | null;
  budgetId: number | null;
  /** The entry with the problem, if it concerns one entry. */
  number: number | null;
  problem: string;
}

/** More are not listed: one wrong row can make many others disagree. */
export const mostFindings = 100;

/** A condition on ids, which limits a statement to some of the orders, redemptions or codes. */
export type Within = (id: string) => string;

export const everywhere: Within = () => 'true';

/** A table, limited to the workspace `$1`. Null: all workspaces, which the planner knows before it plans. */
export function rowsOf(table: string): string {
  return `(select * from ${table} where $1::bigint is null or workspace_id = $1)`;
}

/** Findings are the rows of `from` whose problem is not null. */
export function findings(workspaceId: string, budgetId: string, number: string, problem: string, from: string): string {
  return `
  select *
    from (select ${workspaceId} as "workspaceId", ${budgetId} as "budgetId", ${number} as number, ${problem} as problem
            from ${from}) compared
   where problem is not null
   order by "workspaceId", "budgetId", number
   limit ${mostFindings}`;
}

/** After a restore, numbers continue from the base of the new history. */
export const isFirstOfHistory = (number: string) => `exists (select from histories where base = ${number} - 1)`;

/** The chain: numbers without a gap within a history, each entry with the hash of the one before it and a hash of its own fields. */
const chain = findings(
  'e.workspace_id',
  'e.budget_id',
  'e.number',
  `case when b.id is null then 'The entry belongs to no book.'
        when e.number <> coalesce(lag(e.number) over chain, 0) + 1 and not ${isFirstOfHistory('e.number')}
             then format('An entry before %s is missing.', e.number)
        when e.previous <> coalesce(lag(e.hash) over chain, decode(repeat('00', 32), 'hex'))
             then 'The entry does not carry the hash of the entry before it.'
        when e.hash <> ${entryHash(storedColumns)} then 'The fields of the entry do not have its hash: it was changed.'
        when cardinality(e.amounts) > 0 and e.amount <> (select sum(line) from unnest(e.amounts) as line)
             then 'The amount of the entry is not the sum of its lines.'
   end`,
  `${rowsOf('ledger_entries')} e
    left join budgets b on b.workspace_id = e.workspace_id and b.id = e.budget_id
  window chain as (partition by e.workspace_id, e.budget_id order by e.number)`,
);

/** No balance was ever negative. */
const neverNegative = findings(
  'workspace_id',
  'budget_id',
  'number',
  accounts.reduce(
    (rest, account) =>
      `case when ${account} < 0 then 'The balance "${account}" is negative after the entry.' else ${rest} end`,
    'null',
  ),
  `(select workspace_id, budget_id, number,
           ${accounts.map((account) => `sum(${changeOf(account, 'e')}) over chain as ${account}`).join(', ')}
      from ${rowsOf('ledger_entries')} e
    window chain as (partition by workspace_id, budget_id order by number)) entries`,
);

/** Each balance is the sum of the entries, and the head of a book is the hash of its latest entry. */
const balances = findings(
  'b.workspace_id',
  'b.id',
  'b.latest',
  `case when b.latest <> coalesce(s.latest, 0)
             then format('The latest entry of the book should be %s, and it is %s.', b.latest, coalesce(s.latest, 0))
        when b.latest > 0 and b.head is distinct from e.hash then 'The head of the book is not the hash of its latest entry.'
        when b.latest > 0 and (b.previous, b.latest_at) is distinct from (e.previous, e.at)
             then 'The book has another hash or time before its next entry than its latest entry says.'
        else (select min(format('The balance "%s" is %s, and the entries add up to %s.', name, kept, summed))
                from (values ${accounts.map((account) => `('${account}', b.${account}, coalesce(s.${account}, 0))`).join(', ')})
                     as balance (name, kept, summed)
               where kept <> summed)
   end`,
  `${rowsOf('budgets')} b
    left join (select workspace_id, budget_id, max(number) as latest,
                      ${accounts.map((account) => `sum(${changeOf(account, 'e')}) as ${account}`).join(', ')}
                 from ${rowsOf('ledger_entries')} e
                group by workspace_id, budget_id) s on s.workspace_id = b.workspace_id and s.budget_id = b.id
    left join ledger_entries e on e.workspace_id = b.workspace_id and e.budget_id = b.id and e.number = b.latest`,
);

/**
 * Gifts: what went back to the budgets is what belongs to the gifts that have expired or were cancelled, and what recipients have spent
 * is what the gifts and the entries say. Gifts without entries of their own, which are most, only pass a filter: nothing has happened
 * to them.
 */
export const giftProblems = (within: Within = everywhere) => `
  with lines as materialized (
    select e.workspace_id, line.request_id, line.position, max(e.budget_id) as budget_id, max(e.number) as number,
           coalesce(sum(line.amount) filter (where e.type = 'RETURNED'), 0)
           - coalesce(sum(line.amount) filter (where e.type = 'REVIVED'), 0)  as returned,
           coalesce(sum(line.amount) filter (where e.type = 'REDEEMED'), 0)
           - coalesce(sum(line.amount) filter (where e.type = 'REVERSED'), 0) as redeemed
      from ${rowsOf('ledger_entries')} e
     cross join unnest(e.requests, e.positions, e.amounts) as line (request_id, position, amount)
     where cardinality(e.positions) > 0
       and ${within('line.request_id')}
     group by e.workspace_id, line.request_id, line.position
  )
  ${findings(
    'workspace_id',
    'compared.budget_id',
    'compared.number',
    `case when amount is null then format('Gift %s of order %s is not there.', position, request_id)
          when returned <> case when state in ('EXPIRED', 'CANCELLED') then amount else 0 end
               then format('Gift %s of order %s is %s and costs %s, and its entries have returned %s.',
                           position, request_id, state, amount, returned)
          when redeemed < 0 or redeemed > amount
               then format('Gift %s of order %s has %s, and %s of it is redeemed.', position, request_id, amount, redeemed)
          when redeemed <> said
               then format('%s of gift %s of order %s is redeemed, and its entries say %s.', redeemed, position, request_id, said)
          when (state = 'REDEEMED') <> (redeemed = amount) or (state = 'PARTLY_REDEEMED') <> (redeemed > 0 and redeemed < amount)
               then format('Gift %s of order %s is %s, and %s of %s is redeemed.', position, request_id, state, redeemed, amount)
     end`,
    `(select workspace_id, request_id, position, l.budget_id, l.number, l.returned, l.redeemed as said, c.amount, c.state, c.redeemed
        from lines l
        left join (select * from certificates where ${within('request_id')}) c using (workspace_id, request_id, position)
       union all
      select workspace_id, request_id, position, null, null, 0, 0, amount, state, redeemed
        from (select workspace_id, request_id, position, amount, state, redeemed
                from ${rowsOf('certificates')} c
               where (state not in ('ISSUED', 'CLAIMED') or redeemed <> 0 or amount <= 0)
                 and ${within('request_id')}
              offset 0) c
       where (workspace_id, request_id, position) not in (select workspace_id, request_id, position from lines)) compared`,
  )}`;

/** Redemptions: each has an entry of its gift and amount, and another one if the gift has the amount back. What names another was spent with it. */
export const redemptionProblems = (within: Within = everywhere) =>
  findings(
    'workspace_id',
    'l.budget_id',
    'l.number',
    `case when d.amount is null then format('Redemption %s is not there.', redemption_id)
        when l.redemption_id is null then format('Redemption %s has no entry.', redemption_id)
        when l.request_id <> d.request_id or l.position <> d.position or l.other_gifts
             then format('Redemption %s is of another gift than its entry says.', redemption_id)
        when l.redeemed <> d.amount or l.reversed <> case when d.state in ('REVERSED', 'DECLINED') then d.amount else 0 end
             then format('Redemption %s of %s is %s, and its entries say that %s was redeemed and %s reversed.',
                         redemption_id, d.amount, d.state, l.redeemed, l.reversed)
        when d.is_astray then format('Redemption %s names redemption %s, and was not spent together with it.', redemption_id, d.spending_id)
   end`,
    `(select e.workspace_id, line.redemption_id::bigint as redemption_id, max(e.budget_id) as budget_id, max(e.number) as number,
           min(line.request_id::text)::uuid as request_id, min(line.position) as position,
           count(distinct (line.request_id, line.position)) > 1 as other_gifts,
           coalesce(sum(line.amount) filter (where e.type = 'REDEEMED'), 0) as redeemed,
           coalesce(sum(line.amount) filter (where e.type = 'REVERSED'), 0) as reversed
      from ${rowsOf('ledger_entries')} e
     cross join rows from (unnest(e.requests), unnest(e.positions), unnest(e.amounts), json_array_elements_text(e.detail -> 'redemptions'))
             as line (request_id, position, amount, redemption_id)
     where e.type in ('REDEEMED', 'REVERSED')
       and ${within('line.redemption_id::bigint')}
     group by e.workspace_id, line.redemption_id) l
    full join (select r.workspace_id, r.id as redemption_id, r.request_id, r.position, r.amount, r.state, r.spending_id,
                      r.spending_id is not null
                      and (one.spending_id, one.at, one.spending_option) is distinct from (r.spending_id, r.at, r.spending_option) as is_astray
                 from ${rowsOf('redemptions')} r
                 left join redemptions one on one.workspace_id = r.workspace_id and one.id = r.spending_id
                where ${within('r.id')}) d
         using (workspace_id, redemption_id)`,
  );

/** Payroll exports: each redemption is in the one that it should be in, and the files are as they were closed. */
const payroll = ofWorkspace([lineProblems(rowsOf), exportProblems(rowsOf)].join(' union all '));

/** Findings of a statement with rows of workspace_id and problem. */
export function ofWorkspace(rows: string): string {
  return findings('workspace_id', 'null::bigint', 'null::bigint', 'problem', `(${rows}) found`);
}

/** Each is a statement with the workspace as its only value; null: all of them. */
export const checks: readonly string[] = [
  chain,
  neverNegative,
  balances,
  giftProblems(),
  redemptionProblems(),
  payroll,
  ofWorkspace(approvalProblems(rowsOf)),
  ofWorkspace(shareProblems(rowsOf)),
];

/** Seals: their chain, and every record has the hash of its latest seal. They find more than the others and say less about it, so they come last. */
export const checksOfSeals: readonly string[] = [
  sealChain(rowsOf('seals'), isFirstOfHistory),
  ...sealChecks(rowsOf),
].map(ofWorkspace);
