import type { OrderBudget } from '@giftwire/sdk';

/** The budget of an order as the sender can use it: where one person can draw less in a month than the budget has, that is what is available. */
export function usableBudget(budget: OrderBudget): OrderBudget {
  const { available, left, personLeft } = budget;
  if (personLeft === null || personLeft >= available) return budget;
  const less = available - personLeft;
  return { ...budget, available: personLeft, left: Math.round((left - less) * 10_000) / 10_000 };
}
