import type { SchemaValidateFunction } from 'ajv';
import type { KeywordDefinition } from 'ajv/dist/2020.js';
import { minorDigits } from '../../../values/money.ts';

const validate: SchemaValidateFunction = (_enabled: unknown, order: Record<string, unknown>) => {
  const { currency, orderItems } = order;
  const digits = typeof currency === 'string' ? minorDigits(currency) : null;
  if (digits === null || !Array.isArray(orderItems)) return true;
  const problem =
    digits === 0 ? `must be a whole number in ${currency}` : `must have at most ${digits} decimals in ${currency}`;
  const errors = orderItems.flatMap((item, index) =>
    decimals(item?.amount) > digits
      ? [{ instancePath: `/orderItems/${index}/amount`, keyword: 'decimals', message: problem }]
      : [],
  );
  validate.errors = errors;
  return errors.length === 0;
};

/** No amount has more decimals than the order's currency. */
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
