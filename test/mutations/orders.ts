import type { Mutation } from './mutation.ts';

export const orderMutations: Mutation[] = [
  {
    name: 'other-body-replayed',
    promise: 'a key that comes again with another body is a 422',
    file: 'src/orders/accept.ts',
    find: 'return difference === null ? {',
    replace: 'return difference !== undefined ? {',
    caughtBy: ['idempotency.test.ts'],
  },
  {
    name: 'gifts-to-leavers',
    promise: 'people who have left receive nothing',
    file: 'src/orders/accept.ts',
    find: 'where not i.may_have_left',
    replace: 'where i.may_have_left and not i.may_have_left',
    caughtBy: ['leavers.test.ts'],
  },
  {
    name: 'unknown-numbers-taken',
    promise: 'a workspace can refuse employee numbers that nobody has',
    file: 'src/orders/accept.ts',
    find: 'if (submission.workspace.refusesUnknownEmployeeNumbers) await',
    replace: 'if (submission.workspace.workspaceId === 0) await',
    caughtBy: ['create.test.ts'],
  },
  {
    name: 'weak-gift-token',
    promise: 'a long token has at least 128 unguessable bits',
    file: 'src/orders/gift-tokens.ts',
    find: 'const longMacBytes = 22;',
    replace: 'const longMacBytes = 12;',
    caughtBy: ['gift-tokens.test.ts'],
  },
  {
    name: 'list-reads-everything',
    promise: 'a list of recent orders reads these alone, however many there are',
    file: 'src/orders/list.ts',
    find: 'order by request_id desc',
    replace: 'order by request_id::text desc',
    caughtBy: ['cli-orders.test.ts'],
  },
];
