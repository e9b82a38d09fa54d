import Type, { type Static } from 'typebox';
import { aMoment, aMomentOrNull, named, nullable, nullableRef, oneOf, ref, strictQuery } from './schema.ts';

const LedgerFault = named(
  'LedgerFault',
  Type.Object(
    {
      budgetId: nullable<number>('integer', {
        description: 'The budget with the problem, if it concerns one.',
        examples: [4],
      }),
      number: nullable<number>('integer', {
        description: 'The entry with the problem, if it concerns one.',
        examples: [12],
      }),
      problem: Type.String({
        description: 'What does not agree.',
        examples: ['The fields of the entry do not have its hash: it was changed.'],
      }),
    },
    { description: 'Something that does not agree.' },
  ),
);

const LedgerCheckpoint = named(
  'LedgerCheckpoint',
  Type.Object(
    {
      at: aMoment('The moment up to which the books were verified before.'),
      fullAt: aMoment('When the latest full verification began.'),
      entries: Type.Integer({ description: 'How many entries were verified before.', examples: [120] }),
    },
    { description: 'What an earlier verification has found to agree.' },
  ),
);

export const LedgerVerification = named(
  'LedgerVerification',
  Type.Object(
    {
      agrees: Type.Boolean({ description: 'Whether every cent is accounted for.', examples: [true] }),
      at: aMoment('When it was verified.'),
      chains: Type.Integer({ description: 'How many chains have entries: one for each budget.', examples: [3] }),
      entries: Type.Integer({ description: 'How many entries they have.', examples: [128] }),
      faults: Type.Array(ref(LedgerFault), { description: 'What does not agree. Of many faults, the first ones.' }),
      checkpoint: nullableRef(LedgerCheckpoint, {
        description:
          'Entries and records since this checkpoint were compared, and everything that can still be paid out. null: there is no checkpoint yet, and everything was compared.',
      }),
    },
    { description: 'What a comparison of chains, balances, orders and gifts has found.' },
  ),
);
export type LedgerVerification = Static<typeof LedgerVerification>;

export const VerificationQuery = strictQuery({
  head: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'The hash of an entry that you have kept. It must be the hash of an entry still.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  ),
});
export type VerificationQuery = Static<typeof VerificationQuery>;

export const LedgerVerificationRun = named(
  'LedgerVerificationRun',
  Type.Object(
    {
      number: Type.Integer({ description: '1, 2, 3 … in the workspace.', examples: [7] }),
      kind: oneOf(['FULL', 'DAILY'], {
        description: 'FULL: everything, once a week and on request. DAILY: what is new since the latest checkpoint.',
      }),
      status: oneOf(['WAITING', 'RUNNING', 'FINISHED'], { description: 'How far it has come.' }),
      agrees: Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'Whether every cent is accounted for. null until it has finished.',
        examples: [true],
      }),
      requestedAt: aMoment('When it was requested or due.'),
      startedAt: aMomentOrNull('When it began.'),
      finishedAt: aMomentOrNull('When it finished.'),
      rowsDone: Type.Integer({ description: 'How many rows it has compared.', examples: [41200] }),
      rowsExpected: Type.Integer({
        description: 'About how many it compares in all. 0 until it begins.',
        examples: [52000],
      }),
      faults: Type.Array(ref(LedgerFault), { description: 'What does not agree. Of many faults, the first ones.' }),
    },
    { description: 'A verification that runs in the background.' },
  ),
);
export type LedgerVerificationRun = Static<typeof LedgerVerificationRun>;

export const LedgerVerificationRuns = named(
  'LedgerVerificationRuns',
  Type.Object(
    { verifications: Type.Array(ref(LedgerVerificationRun), { description: 'The latest 20, the newest first.' }) },
    { description: 'Verifications that ran in the background.' },
  ),
);
export type LedgerVerificationRuns = Static<typeof LedgerVerificationRuns>;

export const ledgerSchemas = [
  LedgerFault,
  LedgerCheckpoint,
  LedgerVerification,
  LedgerVerificationRun,
  LedgerVerificationRuns,
];
