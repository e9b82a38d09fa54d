import type { Mutation } from './mutation.ts';

export const approvalMutations: Mutation[] = [
  {
    name: 'sender-decides',
    promise: 'the sender, the person who requested the order and its recipients cannot decide, at any level',
    file: 'src/giving/approvals/deciders.ts',
    find: 'new Set([...parties, ...approvedBy].map(',
    replace: 'new Set([...approvedBy].map(',
    caughtBy: ['approvals/decide.test.ts'],
    only: 'the sender, the person who requested the order and its recipients cannot decide, at any level',
  },
  {
    name: 'one-person-two-levels',
    promise: 'a second level is asked after the first, and another person decides there',
    file: 'src/giving/approvals/deciders.ts',
    find: 'new Set([...parties, ...approvedBy].map(',
    replace: 'new Set([...parties].map(',
    caughtBy: ['approvals/decide.test.ts'],
    only: 'a second level is asked after the first, and another person decides there',
  },
  {
    name: 'held-order-is-fulfilled',
    promise: 'an order that waits is not fulfilled before it is approved',
    file: 'src/giving/orders/store.ts',
    find: 'const free = orders.filter(({ requestId }) => !holds.has(requestId));',
    replace: 'const free = orders;',
    caughtBy: ['approvals/gate.test.ts'],
    only: 'an order above the limit waits with its money reserved, and is fulfilled once approved',
  },
  {
    name: 'decline-keeps-money',
    promise: 'a declined order fails with the comment, and its money returns',
    file: 'src/steps.ts',
    find: 'export const declineSteps: FulfilStep[] = [appendOrderEvents, settle];',
    replace: 'export const declineSteps: FulfilStep[] = [appendOrderEvents];',
    caughtBy: ['approvals/gate.test.ts'],
    only: 'a declined order fails with the comment, and its money returns',
  },
  {
    name: 'retry-passes-the-gate',
    promise: 'a declined order that is retried passes the gate again',
    file: 'src/giving/orders/retry.ts',
    find: 'if (verdict) holds.set(order.requestId, verdict);',
    replace: '',
    caughtBy: ['approvals/expire.test.ts'],
    only: 'a declined order that is retried passes the gate again',
  },
];
