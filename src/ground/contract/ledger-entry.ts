import Type, { type Static } from 'typebox';
import { PageFields } from './paging.ts';
import { named, nullable, oneOf, ref } from './schema.ts';

/** Every type of entry, in the sequence of a gift's life. */
export const entryTypes = [
  'OPENED',
  'GRANTED',
  'ALLOTTED',
  'WITHDRAWN',
  'LAPSED',
  'COMMITTED',
  'RELEASED',
  'ISSUED',
  'RETURNED',
  'REVIVED',
  'REDEEMED',
  'REVERSED',
] as const;

export const accounts = ['granted', 'available', 'committed', 'issued', 'redeemed'] as const;

const hash = (description: string) =>
  Type.String({ description, examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] });

const entry = {
  number: Type.Integer({ description: '1, 2, 3 … in the book.', examples: [12] }),
  at: Type.String({ description: 'UTC, to the microsecond.', examples: ['2026-11-02T14:03:27.512345Z'] }),
  type: oneOf(entryTypes, {
    description:
      'LAPSED: a period of the budget has ended, and what was available is gone. COMMITTED: orders were accepted. RELEASED: they failed. ISSUED: their gifts were issued. RETURNED: gifts expired or were cancelled. REVIVED: expired ones can be claimed again. REDEEMED: recipients have spent gifts or parts of them. REVERSED: they have that back. OPENED: gifts of the time before the ledger.',
  }),
  source: oneOf(accounts, { description: 'The account from which the amount is taken.' }),
  target: oneOf(accounts, { description: 'The account to which it goes.' }),
  amount: Type.Number({ description: 'How much moved.', examples: [250] }),
  lines: Type.Integer({ description: 'How many orders or gifts it is about.', examples: [3] }),
  note: nullable<string>('string', { description: 'What a grant is for.', examples: [null] }),
  previous: hash('The hash of the entry before; zeros before the first.'),
  hash: hash('SHA-256 of the fields of the entry and of the hash before.'),
};

export const LedgerEntry = named(
  'LedgerEntry',
  Type.Object(entry, { description: 'An amount that moved from one account of a book to another. It never changes.' }),
);
export type LedgerEntry = Static<typeof LedgerEntry>;

const LedgerLine = named(
  'LedgerLine',
  Type.Object(
    {
      requestId: Type.String({ description: 'The order.', examples: ['019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f'] }),
      position: nullable<number>('integer', {
        description: 'Which gift of the order, from 0 on; null: all of them.',
        examples: [null],
      }),
      amount: Type.Number({ description: 'What it costs.', examples: [75] }),
    },
    { description: 'An order or a gift that an entry is about.' },
  ),
);

export const LedgerEntryDetails = named(
  'LedgerEntryDetails',
  Type.Object(
    {
      ...entry,
      orders: Type.Array(ref(LedgerLine), { description: 'The orders or gifts that it is about.' }),
      text: Type.String({ description: 'The text of which `hash` is the SHA-256.' }),
    },
    { description: 'An entry with everything that its hash is made of.' },
  ),
);
export type LedgerEntryDetails = Static<typeof LedgerEntryDetails>;

export const LedgerEntryPage = named(
  'LedgerEntryPage',
  Type.Object(
    { ...PageFields, entries: Type.Array(ref(LedgerEntry), { description: 'The newest first.' }) },
    { description: 'A page of entries.' },
  ),
);
export type LedgerEntryPage = Static<typeof LedgerEntryPage>;

export const ledgerEntrySchemas = [LedgerEntry, LedgerLine, LedgerEntryDetails, LedgerEntryPage];
