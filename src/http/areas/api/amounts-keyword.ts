import type { SchemaValidateFunction } from 'ajv';
import type { KeywordDefinition } from 'ajv/dist/2020.js';
import { decimalsProblem } from '../../../values/money.ts';

const validate: SchemaValidateFunction = (_enabled: unknown, checked: Record<string, unknown>) => {
  const { currency } = checked;
  if (typeof currency !== 'string') return true;
  const errors = amountsOf(checked).flatMap(({ amount, at }) => {
    const problem = typeof amount === 'number' ? decimalsProblem(amount, currency) : null;
    return problem === null ? [] : [{ instancePath: at, keyword: 'decimals', message: problem }];
  });
  validate.errors = errors;
  return errors.length === 0;
};

/** An order has an amount in each gift, a draft of a gift has one. */
function amountsOf({ amount, orderItems }: Record<string, unknown>): { amount: unknown; at: string }[] {
  if (!Array.isArray(orderItems)) return [{ amount, at: '/amount' }];
  return orderItems.map((item, index) => ({ amount: item?.amount, at: `/orderItems/${index}/amount` }));
}

/** No amount has more decimals than the currency beside it. */
export const amountsFitCurrency: KeywordDefinition = {
  keyword: 'x-amounts-fit-currency',
  type: 'object',
  validate,
  errors: 'full',
};
