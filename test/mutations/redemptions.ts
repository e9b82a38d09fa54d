import type { Mutation } from './mutation.ts';

export const redemptionMutations: Mutation[] = [
  {
    name: 'declined-and-spent',
    promise: 'a wish that is declined gives the balance back',
    file: 'src/redemptions/finish.ts',
    find: "if (ending !== 'DONE') await giveBack(tx, workspaceId, changing);",
    replace: "if (ending === 'REVERSED') await giveBack(tx, workspaceId, changing);",
    caughtBy: ['redemptions/decide.test.ts'],
    only: 'a wish that is declined gives the balance back once, and it can be spent again',
  },
  {
    name: 'wish-decided-twice',
    promise: 'a decision about a wish stands',
    file: 'src/redemptions/finish.ts',
    find: "DECLINED: 'REQUESTED',",
    replace: "DECLINED: 'DONE',",
    caughtBy: ['redemptions/decide.test.ts'],
    only: 'decisions race: one of them counts',
  },
  {
    name: 'paid-again',
    promise: 'each redemption is in one payroll export',
    file: 'src/redemptions/payroll-due.ts',
    find: "const unpaid = `kind = 'PAYROLL' and state = 'DONE' and exported_in is null`;",
    replace: "const unpaid = `kind = 'PAYROLL' and state = 'DONE'`;",
    caughtBy: ['redemptions/payroll.test.ts'],
    only: 'an export has each redemption once, stays the same to the byte, and a reversal is a negative line of a later one',
  },
  {
    name: 'reversal-unpaid',
    promise: 'what payroll has paid and was reversed is a negative line of a later export',
    file: 'src/redemptions/payroll-due.ts',
    find: "case d.state when 'DONE' then d.amount else -d.amount end as amount,",
    replace: 'd.amount as amount,',
    caughtBy: ['redemptions/payroll.test.ts'],
    only: 'an export has each redemption once, stays the same to the byte, and a reversal is a negative line of a later one',
  },
  {
    name: 'till-key-forgotten',
    promise: 'a request that is sent again under its key redeems once',
    file: 'src/redemptions/redeem.ts',
    find: 'if (!idempotencyKey) return null;',
    replace: "if (!idempotencyKey || kind === 'TILL') return null;",
    caughtBy: ['redemptions/till.test.ts'],
    only: 'a hundred equal requests under one key redeem once, and a void gives it back once',
  },
];
