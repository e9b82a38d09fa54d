import { because, type TableOfData, technical, technicalColumns } from '../../ground/values/personal.ts';

export const booksData: readonly TableOfData[] = [
  {
    table: 'ledger_checkpoints',
    holds: 'what a verification found to agree',
    columns: { content: technical('ids, balances and hashes') },
  },
  {
    table: 'verifications',
    holds: 'verifications of the books',
    columns: {
      kind: technical(because.word),
      ...technicalColumns('ids, amounts and error codes', 'subject', 'after_key', 'carried', 'faults', 'failure'),
    },
  },
];
