import { notSealed, type SealedRecord, type SealedTable, sealAs } from '../../company/workspaces/seals.ts';
import { unpaid, unreturned } from './payroll-open.ts';

const { key, optional, plain, quoted, moment, bytes, actor } = sealAs;

/** What was spent of a gift, when, on which spending option, and the payroll exports that have it. */
export const redemptionRecord: SealedRecord = {
  name: 'redemption',
  called: (key) => `'Redemption ' || ${key}`,
  key: 'd.id::text',
  at: (key) => `d.id = ${key}::bigint`,
  open: [`state = 'REQUESTED'`, unpaid, unreturned],
  tables: [
    {
      table: 'redemptions',
      alias: 'd',
      columns: {
        workspace_id: key,
        id: key,
        request_id: plain,
        position: plain,
        spending_option: quoted,
        kind: plain,
        spending_option_name: quoted,
        tax_type: plain,
        retailer: quoted,
        amount: plain,
        state: plain,
        idempotency_key: notSealed.idempotency,
        body: notSealed.idempotency,
        at: moment,
        finished_at: moment,
        detail: notSealed.personal,
        exported_in: optional,
        reversed_in: optional,
        redeemed_by: actor,
        finished_by: actor,
        spending_id: { checked: 'what was spent together has one moment and one spending option' },
      },
    },
  ],
};

export const payrollRecord: SealedRecord = {
  name: 'payroll',
  called: (key) => `'Payroll export ' || ${key}`,
  key: 'e.number::text',
  at: (key) => `e.number = ${key}::bigint`,
  tables: [
    {
      table: 'payroll_exports',
      alias: 'e',
      columns: {
        workspace_id: key,
        number: key,
        closed_at: moment,
        closed_by: { checked: 'it is the name in the audit log' },
        header: quoted,
        lines: plain,
        totals: quoted,
        hash: bytes,
        idempotency_key: notSealed.idempotency,
      },
    },
  ],
};

const inFile = { checked: 'the hash of the file is made of the lines' } as const;
const ofRedemption = { checked: 'each redemption is in the exports that it names' } as const;

/** The lines of an export are compared with its hash, which is sealed. */
export const payrollLineColumns: SealedTable = {
  table: 'payroll_lines',
  alias: 'l',
  columns: {
    workspace_id: inFile,
    number: inFile,
    nth: inFile,
    redemption_id: ofRedemption,
    amount: ofRedemption,
    text: inFile,
  },
};

/** What a gift can be spent on, with which limits, and where a code or a link sends the recipient. */
export const spendingOptionRecord: SealedRecord = {
  name: 'spending option',
  called: (key) => `'Spending option ' || ${key}`,
  key: 's.id',
  at: (key) => `s.id = ${key}`,
  open: ['true'],
  tables: [
    {
      table: 'spending_options',
      alias: 's',
      columns: {
        workspace_id: key,
        id: key,
        kind: plain,
        name: quoted,
        description: quoted,
        currencies: quoted,
        min_amount: optional,
        max_amount: optional,
        allows_parts: plain,
        is_on: plain,
        position: { open: 'the sequence in which options are shown' },
        tax_type: plain,
        detail: quoted,
      },
    },
  ],
};
