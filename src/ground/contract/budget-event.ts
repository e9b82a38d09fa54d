import Type from 'typebox';
import { named, nullable } from './schema.ts';

const budget = {
  budgetId: Type.Integer({ description: 'The id of the budget.', examples: [4] }),
  memberId: nullable<number>('integer', {
    description: "The member whose budget it is; null: one of a team, cost centre or department, or the workspace's.",
    examples: [17],
  }),
  currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
  available: Type.Number({ description: 'What new orders can draw on.', examples: [180] }),
};

const BudgetData = named('BudgetEventData', Type.Object(budget));

const BudgetGrantedData = named(
  'BudgetGrantedData',
  Type.Object({ ...budget, amount: Type.Number({ description: 'What was granted.', examples: [500] }) }),
);

const BudgetLowData = named(
  'BudgetLowData',
  Type.Object({
    ...budget,
    threshold: Type.Integer({
      description: 'The threshold, in percent of what was available after the latest grant.',
      examples: [20],
    }),
  }),
);

const BudgetLapsedData = named(
  'BudgetLapsedData',
  Type.Object({
    ...budget,
    amount: Type.Number({ description: 'What has lapsed.', examples: [120] }),
    period: Type.String({ description: 'The month or the year that has ended.', examples: ['2026-10'] }),
  }),
);

export const budgetEvents = {
  'budget.granted': {
    meaning: 'Money was granted to a budget, by a user or as an allowance.',
    data: BudgetGrantedData,
  },
  'budget.lapsed': {
    meaning: 'A period of a budget has ended, and what was available has lapsed.',
    data: BudgetLapsedData,
  },
  'budget.low': {
    meaning:
      'What is left in a budget has fallen to a threshold. Once for each threshold, until the budget rises above it.',
    data: BudgetLowData,
  },
  'budget.exhausted': {
    meaning: 'Less than the smallest gift is left in a budget.',
    data: BudgetData,
  },
} as const;
