import type { SpendingOption } from '../../ground/contract/spending-option.ts';
import type { Fault } from '../../ground/errors.ts';
import { anyDecimalsProblem, decimalsProblem } from '../../ground/values/money.ts';
import { kindSettings, kindsWith, spendingKinds, spendingOptionKinds } from '../../ground/values/spending-kinds.ts';
import { urlProblem } from '../../ground/values/url.ts';

/** Everything that is wrong with a spending option. */
export function optionFaults(option: SpendingOption): Fault[] {
  return [...kindFaults(option), ...amountFaults(option), ...linkFaults(option), ...columnFaults(option)];
}

/** Settings that belong to one kind, and ids that do. */
function kindFaults(option: SpendingOption): Fault[] {
  const { id, kind } = option;
  const own = spendingKinds[kind];
  const foreign = kindSettings.filter((path) => path !== own.setting && option[path] !== null);
  const misplaced = spendingOptionKinds.filter((one) => {
    const { only } = spendingKinds[one];
    return only && (kind === one) !== (id === only.id);
  });
  return [
    ...misplaced.map((one) => ({
      path: 'kind',
      problem: `must be ${one} for the spending option "${spendingKinds[one].only?.id}", and for no other`,
    })),
    ...foreign.map((path) => ({
      path,
      problem: `is only for spending options of the kind ${kindsWith('setting', path).join(' or ')}`,
    })),
    ...(own.needsSetting && option[own.setting] === null
      ? [{ path: own.setting, problem: `is required for the kind ${kind}` }]
      : []),
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
