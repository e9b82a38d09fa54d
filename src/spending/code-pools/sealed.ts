import { notSealed, type SealedRecord, type SealedTable, sealAs } from '../../company/workspaces/seals.ts';

const { key, optional, plain, quoted, moment, day, bytes } = sealAs;

/** The currency in which the codes of a pool have their values. */
export const poolRecord: SealedRecord = {
  name: 'pool',
  called: (key) => `'Code pool ' || ${key}`,
  key: 'p.id::text',
  at: (key) => `p.id = ${key}::bigint`,
  open: ['true'],
  tables: [
    {
      table: 'code_pools',
      alias: 'p',
      columns: {
        workspace_id: key,
        id: key,
        name: notSealed.name,
        currency: quoted,
        low_at: { open: 'decides only when a low stock is announced' },
        created_at: { open: 'when it was added; nothing is counted from it' },
      },
    },
  ],
};

/** What a code is worth, where and until when, and which redemption got it. */
export const codeRecord: SealedRecord = {
  name: 'code',
  called: (key) => `'Code ' || ${key}`,
  key: 'k.id::text',
  at: (key) => `k.id = ${key}::bigint`,
  open: ['k.redemption_id is null'],
  tables: [
    {
      table: 'pool_codes',
      alias: 'k',
      columns: {
        workspace_id: key,
        id: key,
        pool_id: plain,
        retailer: quoted,
        value: plain,
        expires_on: day,
        key_version: plain,
        sealed: bytes,
        hash: bytes,
        added_at: { open: 'when it was uploaded; nothing is counted from it' },
        redemption_id: optional,
        given_at: moment,
      },
    },
  ],
};

const counted = { open: 'counts codes for lists and announcements; a code is given by its own row' } as const;

/** Counts of codes, which are sealed themselves. */
export const stockColumns: SealedTable = {
  table: 'pool_stocks',
  alias: 's',
  columns: {
    workspace_id: counted,
    pool_id: counted,
    retailer: counted,
    value: counted,
    given: counted,
    announced: counted,
  },
};
