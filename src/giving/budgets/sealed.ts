import { notSealed, type SealedRecord, type SealedTable, sealAs } from '../../company/workspaces/seals.ts';

const { key, optional, plain, quoted, moment, added, addedMoment } = sealAs;

const balance = { checked: 'each balance is the sum of the entries' } as const;
const chain = { checked: 'the head of a book is its latest entry' } as const;
const announced = { open: 'decides only when a low budget is announced' } as const;

/** Whose money a budget is, and its terms. */
export const budgetRecord: SealedRecord = {
  name: 'budget',
  called: (key) => `'Budget ' || ${key}`,
  key: 'b.id::text',
  at: (key) => `b.id = ${key}::bigint`,
  open: ['true'],
  since: 3,
  tables: [
    {
      table: 'budgets',
      alias: 'b',
      columns: {
        workspace_id: key,
        id: key,
        kind: plain,
        member_id: optional,
        currency: quoted,
        granted: balance,
        available: balance,
        committed: balance,
        issued: balance,
        redeemed: balance,
        latest: chain,
        latest_at: chain,
        head: chain,
        previous: chain,
        gift_limit: optional,
        largest_gift: { open: 'lets the database compare the latest order with the limit for one gift' },
        allowance: optional,
        allowance_every: optional,
        next_allowance_at: moment,
        refilled: announced,
        low_percents: announced,
        announced_percent: announced,
        closed_at: moment,
        created_at: { open: 'when it was set; nothing is counted from it' },
        shared_team_id: added,
        shared_name: added,
        person_cap: added,
        lapse_every: added,
        lapses_at: addedMoment,
      },
    },
  ],
};

const inHash = { checked: 'the hash of the entry is made of it' } as const;

/** Ledger entries have a separate chain. */
export const entryColumns: SealedTable = {
  table: 'ledger_entries',
  alias: 'e',
  columns: {
    workspace_id: inHash,
    budget_id: inHash,
    number: inHash,
    type: inHash,
    source: inHash,
    target: inHash,
    amount: inHash,
    at: inHash,
    requests: inHash,
    positions: inHash,
    amounts: inHash,
    detail: inHash,
    previous: inHash,
    hash: inHash,
    idempotency_key: notSealed.idempotency,
  },
};
