import type { SchemaValidateFunction } from 'ajv';
import type { KeywordDefinition } from 'ajv/dist/2020.js';
import { decimalsProblem } from '../../../../ground/values/money.ts';

const validate: SchemaValidateFunction = (_enabled: unknown, checked: Record<string, unknown>) => {
  const { currency, amount, orderItems } = checked;
  const errors: Wrong[] = [];
  validate.errors = errors;
  if (typeof currency !== 'string') return true;
  // An order has an amount in each gift, a draft of a gift has one.
  if (!Array.isArray(orderItems)) check(amount, currency, null, errors);
  else for (let at = 0; at < orderItems.length; at++) check(orderItems[at]?.amount, currency, at, errors);
  return errors.length === 0;
};

type Wrong = { instancePath: string; keyword: string; message: string };

function check(amount: unknown, currency: string, item: number | null, errors: Wrong[]): void {
  const problem = typeof amount === 'number' ? decimalsProblem(amount, currency) : null;
  if (problem === null) return;
  const instancePath = item === null ? '/amount' : `/orderItems/${item}/amount`;
  errors.push({ instancePath, keyword: 'decimals', message: problem });
}

/** No amount has more decimals than the currency beside it. */
export const amountsFitCurrency: KeywordDefinition = {
  keyword: 'x-amounts-fit-currency',
  type: 'object',
  validate,
  errors: 'full',
};
