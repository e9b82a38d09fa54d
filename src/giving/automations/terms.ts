import type { AutomationTerms, NewAutomation } from '../../ground/contract/automation.ts';
import type { Fault } from '../../ground/errors.ts';
import { isCountry, notCountry } from '../../ground/values/country.ts';
import { isDay } from '../../ground/values/moment.ts';
import { decimalsProblem } from '../../ground/values/money.ts';
import { placeholdersOf } from './placeholders.ts';

const defaults = {
  audience: { include: [], exclude: [] },
  missing: {},
  from: { is: 'COMPANY' },
  budgetId: null,
  ifShort: 'MESSAGE',
  leadDays: 0,
  hour: 8,
  onDayOff: 'BEFORE',
  onLeapDay: 'FEB_28',
  skipsLeft: true,
  skipsOnLeave: true,
  catchUpDays: 5,
} as const satisfies Partial<Record<keyof AutomationTerms, unknown>>;

/** The terms of an automation as they are stored: with the defaults of fields that are left out, and without fields that are undefined. */
export function completeTerms(added: NewAutomation): AutomationTerms {
  return { ...defaults, ...JSON.parse(JSON.stringify(added)) };
}

/** What is wrong with terms that can be seen without the database. `known` are the placeholders that messages may have. */
export function faultsInTerms(terms: AutomationTerms, known: readonly string[]): Fault[] {
  return [...triggerFaults(terms), ...actionFaults(terms), ...messageFaults(terms, known), ...otherFaults(terms)];
}

/** A list of faults, to which a problem is added if there is one. */
function collect() {
  const faults: Fault[] = [];
  const add = (path: string, problem: string | null | false) => {
    if (problem) faults.push({ path, problem });
  };
  return { faults, add };
}

function triggerFaults({ trigger }: AutomationTerms): Fault[] {
  const { faults, add } = collect();
  const { is, days, monthDay, day } = trigger;
  add('trigger.days', belongsTo(days, is === 'AFTER_HIRE' || is === 'UNRECOGNIZED', 'AFTER_HIRE or UNRECOGNIZED'));
  add('trigger.days', is === 'UNRECOGNIZED' && days === 0 && 'must be at least 1');
  add('trigger.monthDay', belongsTo(monthDay, is === 'YEARLY', 'YEARLY'));
  // 2028 is a leap year: 29 February is a day.
  if (monthDay !== undefined) add('trigger.monthDay', !isDay(`2028-${monthDay}`) && 'must be a day, for example 12-21');
  add('trigger.day', belongsTo(day, is === 'ONCE', 'ONCE'));
  return faults;
}

/** What is wrong with a field that must be given in some cases, and in those alone. */
function belongsTo(value: unknown, isNeeded: boolean, cases: string): string | null {
  return (value !== undefined) === isNeeded ? null : `must be given if \`is\` is ${cases}, and only then`;
}

function actionFaults({ trigger, action, budgetId }: AutomationTerms): Fault[] {
  const { faults, add } = collect();
  const { is, currency, amount, byYears = [], further } = action;
  const isGift = is === 'GIFT';
  const notForGift = isGift ? null : 'must be left out, because the action is no gift';
  add('action.currency', belongsTo(currency, isGift, 'GIFT'));
  const isAnniversary = trigger.is === 'ANNIVERSARY';
  const notYearly = isAnniversary ? null : 'must be left out, because the trigger is no anniversary';
  if (byYears.length > 0) {
    add('action.byYears', notYearly);
    add('action.amount', amount !== undefined && 'must be left out, because `byYears` has the amounts');
  }
  if (further !== undefined) {
    add('action.further', notYearly);
    add('action.further', byYears.length === 0 && 'must be left out without `byYears`, after which it begins');
  }
  const years = byYears.map((one) => one.years);
  for (const [nth, one] of years.entries())
    add(`action.byYears[${nth}].years`, years.indexOf(one) < nth && 'is there twice');
  for (const { path, amount: one } of amountsOf(action))
    if (one !== undefined) add(path, notForGift ?? decimalsProblem(one, currency ?? ''));
  add('budgetId', budgetId !== null && notForGift);
  return faults;
}

/** All amounts that an action can have, with their paths. */
function amountsOf({ amount, byYears = [], further }: AutomationTerms['action']) {
  return [
    { path: 'action.amount', amount },
    ...byYears.map((one, nth) => ({ path: `action.byYears[${nth}].amount`, amount: one.amount })),
    { path: 'action.further.amount', amount: further?.amount },
  ];
}

function messageFaults({ messages, missing }: AutomationTerms, known: readonly string[]): Fault[] {
  const { faults, add } = collect();
  const names = known.map((name) => `{${name}}`).join(', ');
  for (const [language, message = ''] of Object.entries(messages))
    for (const name of placeholdersOf(message))
      if (!known.includes(name)) add(`messages.${language}`, `has the unknown placeholder {${name}}: use ${names}`);
  for (const name of Object.keys(missing))
    add(`missing.${name}`, !known.includes(name) && `is no placeholder: use ${names}`);
  return faults;
}

function otherFaults({ from, audience }: AutomationTerms): Fault[] {
  const { faults, add } = collect();
  add('from.memberId', belongsTo(from.memberId, from.is === 'MEMBER', 'MEMBER'));
  for (const side of ['include', 'exclude'] as const)
    for (const [nth, part] of audience[side].entries()) {
      const path = `audience.${side}[${nth}]`;
      const { country, custom, ...others } = part;
      const isEmpty = Object.values({ country, ...others, ...custom }).every((value) => value === undefined);
      add(path, isEmpty && 'must have a field: an empty part would stand for all people');
      if (country !== undefined) add(`${path}.country`, !isCountry(country) && notCountry);
    }
  return faults;
}

/** Why an automation with these terms cannot do anything, and what to do; null if it can. */
export function whyNotOn({ trigger, action, messages, catchUpDays }: AutomationTerms, today: string): string | null {
  if (Object.values(messages).every((message) => message === undefined))
    return 'It has no message: write one in the language of your people.';
  const { byYears = [], amount, further } = action;
  if (action.is === 'GIFT') {
    if (byYears.length === 0 && amount === undefined) return 'Its gift has no amount: set one.';
    const without = byYears.find((one) => one.amount === undefined);
    if (without) return `Its gift for ${without.years} years has no amount: set one.`;
    if (further && further.amount === undefined) return 'Its gift for further years has no amount: set one.';
  }
  if (trigger.day !== undefined && daysBetween(trigger.day, today) > catchUpDays)
    return `Its day, ${trigger.day}, has passed: choose another one.`;
  return null;
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}
