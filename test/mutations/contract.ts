import type { Mutation } from './mutation.ts';

export const contractMutations: Mutation[] = [
  {
    name: 'formula-cells',
    promise: 'no cell of a CSV report is a formula',
    file: 'src/contract/csv.ts',
    find: `text.replace(formulaStarts, "'")`,
    replace: 'text',
    caughtBy: ['reports-csv.test.ts'],
  },
  {
    name: 'larger-amounts',
    promise: 'an amount is at most 10,000',
    file: 'src/contract/order.ts',
    find: 'maximum: 10_000,',
    replace: 'maximum: 10_001,',
    caughtBy: ['create.test.ts'],
  },
  {
    name: 'more-gifts',
    promise: 'an order has at most 1,000 gifts',
    file: 'src/contract/order.ts',
    find: 'maxGifts = 1_000;',
    replace: 'maxGifts = 1_001;',
    caughtBy: ['create.test.ts'],
  },
];
