import type { SpendingOption } from '../../ground/contract/spending-option.ts';
import type { Fault } from '../../ground/errors.ts';
import { anyDecimalsProblem, decimalsProblem } from '../../ground/values/money.ts';
import { urlProblem } from '../../ground/values/url.ts';

/** Payroll has this id, and no other way has. */
export const payrollId = 'payroll';

/** Everything that is wrong with a spending option. */
export function faultsOf(option: SpendingOption): Fault[] {
  return [...ownerFaults(option), ...amountFaults(option), ...linkFaults(option), ...columnFaults(option)];
}

/** Fields that belong to one kind, and the id of payroll. */
function ownerFaults({ id, kind, link, poolId, columns }: SpendingOption): Fault[] {
  const only = (path: string, value: unknown, owner: SpendingOption['kind']) =>
    value !== null && kind !== owner ? [{ path, problem: `is only for spending options of the kind ${owner}` }] : [];
  return [
    ...((kind === 'PAYROLL') === (id === payrollId)
      ? []
      : [{ path: 'kind', problem: `must be PAYROLL for the spending option "${payrollId}", and for no other` }]),
    ...only('link', link, 'TILL'),
    ...only('poolId', poolId, 'POOL'),
    ...only('columns', columns, 'PAYROLL'),
    ...(kind === 'POOL' && poolId === null ? [{ path: 'poolId', problem: 'is required for the kind POOL' }] : []),
  ];
}

function amountFaults({ currencies, minAmount, maxAmount }: SpendingOption): Fault[] {
  const faults = (
    [
      ['minAmount', minAmount],
      ['maxAmount', maxAmount],
    ] as const
  ).flatMap(([path, amount]) => {
    if (amount === null) return [];
    const problems = currencies?.map((currency) => decimalsProblem(amount, currency)) ?? [anyDecimalsProblem(amount)];
    const problem = problems.find((one) => one !== null);
    return problem ? [{ path, problem }] : [];
  });
  const isReversed = minAmount !== null && maxAmount !== null && minAmount > maxAmount;
  return isReversed ? [...faults, { path: 'maxAmount', problem: 'must not be below minAmount' }] : faults;
}

function linkFaults({ link }: SpendingOption): Fault[] {
  if (link === null) return [];
  const problem = urlProblem(link, 'https');
  return problem === null ? [] : [{ path: 'link', problem }];
}

function columnFaults({ columns }: SpendingOption): Fault[] {
  return (columns ?? []).flatMap(({ field, text }, nth) =>
    (field === undefined) === (text === undefined)
      ? [{ path: `columns[${nth}]`, problem: 'must have either a field or a text' }]
      : [],
  );
}
