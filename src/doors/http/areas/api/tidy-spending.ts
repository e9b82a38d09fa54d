import type { PayrollColumn, SpendingOptionSetting } from '../../../../ground/contract/spending-option.ts';
import type { TillCheck, TillRedemption } from '../../../../ground/contract/till.ts';
import { isObject } from '../../../../ground/values/differences.ts';
import { isBlank, trimmed } from './tidy.ts';

export function tidyTillCheck(body: unknown): unknown {
  if (!isObject(body)) return body;
  return { token: trimmed(body.token) } satisfies Record<keyof TillCheck, unknown>;
}

export function tidyTillRedemption(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { token, amount, reference, spendingOption } = body;
  return {
    token: trimmed(token),
    amount: amount ?? undefined,
    reference: isBlank(reference) ? undefined : trimmed(reference),
    spendingOption: isBlank(spendingOption) ? undefined : trimmed(spendingOption),
  } satisfies Record<keyof TillRedemption, unknown>;
}

/** Null is a value of some fields; where it is none, it counts as absent. */
export function tidySpendingOption(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { kind, name, description, currencies, minAmount, maxAmount, allowsParts, isOn, position, taxType } = body;
  const { link, poolId, columns } = body;
  return {
    kind,
    name: trimmed(name),
    description: trimmed(description ?? undefined),
    currencies,
    minAmount,
    maxAmount,
    allowsParts: allowsParts ?? undefined,
    isOn: isOn ?? undefined,
    position: position ?? undefined,
    taxType: taxType ?? undefined,
    link: link !== undefined && isBlank(link) ? null : trimmed(link),
    poolId,
    columns: Array.isArray(columns) ? columns.map(tidyColumn) : columns,
  } satisfies Record<keyof SpendingOptionSetting, unknown>;
}

function tidyColumn(column: unknown): unknown {
  if (!isObject(column)) return column;
  const { header, field, text } = column;
  return {
    header: trimmed(header),
    field: field ?? undefined,
    text: trimmed(text ?? undefined),
  } satisfies Record<keyof PayrollColumn, unknown>;
}
