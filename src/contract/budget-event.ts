import Type from 'typebox';
import { named, nullable } from './schema.ts';

const budget = {
  budgetId: Type.Integer({ description: 'The id of the budget.', examples: [4] }),
  memberId: nullable<number>('integer', {
    description: "The member whose budget it is; null: the workspace's.",
    examples: [17],
  }),
  currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
  available: Type.Number({ description: 'What new orders can draw on.', examples: [180] }),
};

export const BudgetData = named('BudgetEventData', Type.Object(budget));

export const BudgetGrantedData = named(
  'BudgetGrantedData',
  Type.Object({ ...budget, amount: Type.Number({ description: 'What was granted.', examples: [500] }) }),
);

export const BudgetLowData = named(
  'BudgetLowData',
  Type.Object({
    ...budget,
    threshold: Type.Integer({
      description: 'The threshold, in percent of what was available after the latest grant.',
      examples: [20],
    }),
  }),
);
