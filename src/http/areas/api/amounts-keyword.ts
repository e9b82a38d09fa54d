import type { SchemaValidateFunction } from 'ajv';
import type { KeywordDefinition } from 'ajv/dist/2020.js';
import { minorDigits } from '../../../values/money.ts';

const validate: SchemaValidateFunction = (_enabled: unknown, checked: Record<string, unknown>) => {
  const { currency } = checked;
  const digits = typeof currency === 'string' ? minorDigits(currency) : null;
  if (digits === null) return true;
  const problem =
    digits === 0 ? `must be a whole number in ${currency}` : `must have at most ${digits} decimals in ${currency}`;
  const errors = amountsOf(checked).flatMap(({ amount, at }) =>
    decimals(amount) > digits ? [{ instancePath: at, keyword: 'decimals', message: problem }] : [],
  );
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

function decimals(amount: unknown): number {
  if (typeof amount !== 'number' || Number.isInteger(amount) || !Number.isFinite(amount)) return 0;
  const [digits = '', power = '0'] = String(amount).split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(power));
}
