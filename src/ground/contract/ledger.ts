import Type, { type Static } from 'typebox';
import { named, nullable, ref, strictQuery } from './schema.ts';

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

export const LedgerVerification = named(
  'LedgerVerification',
  Type.Object(
    {
      agrees: Type.Boolean({ description: 'Whether every cent is accounted for.', examples: [true] }),
      at: Type.String({ format: 'date-time', description: 'When it was verified.' }),
      chains: Type.Integer({ description: 'How many chains have entries: one for each budget.', examples: [3] }),
      entries: Type.Integer({ description: 'How many entries they have.', examples: [128] }),
      faults: Type.Array(ref(LedgerFault), { description: 'What does not agree. Of many faults, the first ones.' }),
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

export const ledgerSchemas = [LedgerFault, LedgerVerification];
