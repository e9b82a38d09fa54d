import type { Mutation } from './mutation.ts';

export const contractMutations: Mutation[] = [
  {
    name: 'larger-amounts',
    promise: 'an amount is at most 10,000',
    file: 'src/ground/contract/order.ts',
    find: 'maximum: 10_000,',
    replace: 'maximum: 10_001,',
    caughtBy: ['orders/create.test.ts'],
    only: 'amounts lie from 1 to 10,000',
  },
  {
    name: 'finer-than-a-cent',
    promise: 'an amount has at most the minor digits of its currency',
    file: 'src/ground/values/money.ts',
    find: 'count <= digits)',
    replace: 'count <= digits + 1)',
    caughtBy: ['orders/create.test.ts'],
    only: 'amounts lie from 1 to 10,000',
  },
  {
    name: 'digits-of-another-list',
    promise: 'a currency has the number of digits that ISO 4217 gives it',
    file: 'src/ground/values/money.ts',
    find: 'GTQ GYD HKD HNL HTG HUF IDR',
    replace: 'GTQ GYD HKD HNL HTG IDR',
    caughtBy: ['service/config.test.ts'],
    only: 'the currencies are those of Intl',
  },
  {
    name: 'shorter-list-is-the-same',
    promise: 'a repeated order with fewer or more gifts is another order',
    file: 'src/ground/values/differences.ts',
    find: '...Object.keys(one), ...Object.keys(other)',
    replace: '...Object.keys(one)',
    caughtBy: ['orders/idempotency.test.ts'],
    only: 'the same key with another body is a 422 that names the fields that differ',
  },
];
