import {
  because,
  keeps,
  personal,
  type TableOfData,
  technical,
  technicalColumns,
} from '../../ground/values/personal.ts';

/** Why a note of the ledger stays. */
export const byTheChain =
  'the hash chain that proves the books covers it. Do not name people in notes; the preview of an erasure counts those that do';

export const budgetsData: readonly TableOfData[] = [
  {
    table: 'budgets',
    holds: 'the books: balances, limits, allowances',
    columns: {
      ...technicalColumns(because.word, 'kind', 'currency', 'allowance_every', 'lapse_every'),
      ...technicalColumns('a hash of a ledger entry', 'head', 'previous'),
      shared_name: technical('the name of a budget that several people share'),
    },
  },
  {
    table: 'ledger_entries',
    holds: 'what moved money, chained by hash',
    columns: {
      ...technicalColumns(because.word, 'type', 'source', 'target'),
      ...technicalColumns('a hash of a ledger entry', 'previous', 'hash'),
      idempotency_key: technical('chosen by the caller, who is told to put no personal data in it'),
      detail: personal({
        of: ['named'],
        what: 'the note of a grant or a withdrawal',
        why: 'the company can see why money was granted',
        stays: byTheChain,
        kept: keeps.always,
      }),
    },
  },
];
