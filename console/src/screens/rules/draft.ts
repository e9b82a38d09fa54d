import type { NewRule, Rule } from '@giftwire/sdk';
import type { Words } from '../../words/words.tsx';
import { approverOf, keyOf } from './approvers.ts';
import { fromOf, type Source, sourceOf } from './source.ts';

/** A rule as the form has it. */
export interface Draft {
  /** Null: the name that the form suggests. */
  name: string | null;
  isOn: boolean;
  source: Source;
  measure: Rule['measure'];
  above: number | null;
  currency: string;
  outcome: Rule['outcome'];
  first: string[];
  /** Null: one level. */
  second: string[] | null;
  days: number | null;
  message: string;
}

export function blankDraft(currency: string): Draft {
  return {
    name: null,
    isOn: true,
    source: { kind: 'ANY', value: '' },
    measure: 'GIFT',
    above: null,
    currency,
    outcome: 'ASK',
    first: [],
    second: null,
    days: 7,
    message: '',
  };
}

export function draftOf({ name, isOn, from, measure, above, currency, outcome, levels, days, message }: Rule): Draft {
  const [first = [], second = null] = levels.map(({ approvers }) => approvers.map(keyOf));
  const source = sourceOf(from);
  return {
    name,
    isOn,
    source,
    measure,
    above,
    currency,
    outcome,
    first,
    second,
    days: days ?? 7,
    message: message ?? '',
  };
}

export type Missing = Partial<Record<keyof Words['rules']['missing'], true>>;

/** What is missing before the rule can be saved. */
export function missingIn(draft: Draft, name: string): Missing {
  const { source, above, outcome, first, second, days, message } = draft;
  const isAsk = outcome === 'ASK';
  return {
    ...(name.trim() === '' && { name: true }),
    ...(source.kind !== 'ANY' && source.value === '' && { from: true }),
    ...(above === null && { above: true }),
    ...(isAsk && first.length === 0 && { first: true }),
    ...(isAsk && second?.length === 0 && { second: true }),
    ...(isAsk && (days === null || days < 1 || days > 90) && { days: true }),
    ...(!isAsk && message.trim() === '' && { message: true }),
  };
}

/** The whole rule, also for a change: what another outcome had is removed. */
export function ruleOf(draft: Draft, name: string): NewRule {
  const { isOn, source, measure, above, currency, outcome, first, second, days, message } = draft;
  const isAsk = outcome === 'ASK';
  const levels = [first, ...(second ? [second] : [])].map((keys) => ({ approvers: keys.map(approverOf) }));
  return {
    name: name.trim(),
    isOn,
    from: fromOf(source),
    measure,
    above: above ?? 0,
    currency,
    outcome,
    levels: isAsk ? levels : [],
    days: isAsk ? days : null,
    message: isAsk ? null : message.trim(),
  };
}
