import type { IconName } from '../../parts/icon.tsx';
import { templateMessages } from './template-messages.ts';
import type { AutomationTerms } from './terms.ts';

type Template = keyof typeof templateMessages;

interface TemplateLook {
  icon: IconName;
  /** What the template sets; `usualTerms` has the rest. */
  terms: (currency: string) => Partial<AutomationTerms> & Pick<AutomationTerms, 'trigger' | 'action'>;
}

export const templates: Record<Template, TemplateLook> = {
  BIRTHDAY: {
    icon: 'cake',
    terms: (currency) => ({ trigger: { is: 'BIRTHDAY' }, action: { is: 'GIFT', currency, amount: 25 } }),
  },
  ANNIVERSARY: {
    icon: 'gift',
    terms: (currency) => ({
      trigger: { is: 'ANNIVERSARY' },
      action: {
        is: 'GIFT',
        currency,
        byYears: [
          { years: 1, amount: 50 },
          { years: 2, amount: 50 },
          { years: 3, amount: 75 },
          { years: 5, amount: 100 },
          { years: 10, amount: 250 },
        ],
        further: { every: 5, amount: 250 },
      },
      from: { is: 'MANAGER' },
      leadDays: 7,
    }),
  },
  FIRST_DAY: {
    icon: 'heart',
    terms: () => ({
      trigger: { is: 'AFTER_HIRE', days: 0 },
      action: { is: 'SHOUTOUT' },
      from: { is: 'MANAGER' },
      onDayOff: 'AFTER',
    }),
  },
  DAY_90: {
    icon: 'flag',
    terms: () => ({
      trigger: { is: 'AFTER_HIRE', days: 90 },
      action: { is: 'SHOUTOUT' },
      from: { is: 'MANAGER' },
    }),
  },
  HOLIDAY: {
    icon: 'calendar',
    terms: (currency) => ({
      trigger: { is: 'YEARLY', monthDay: '12-18' },
      action: { is: 'GIFT', currency, amount: 20 },
    }),
  },
  UNRECOGNIZED: {
    icon: 'bell',
    terms: () => ({
      trigger: { is: 'UNRECOGNIZED', days: 60 },
      action: { is: 'NUDGE' },
      from: { is: 'MANAGER' },
    }),
  },
};

export const templateNames = Object.keys(templates) as Template[];

export function isTemplate(name: string | undefined): name is Template {
  return name !== undefined && name in templates;
}

/** The whole of a template, ready to be turned on. */
export function termsOf(template: Template, name: string, currency: string): AutomationTerms {
  return {
    name,
    audience: { include: [], exclude: [] },
    messages: templateMessages[template],
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
    ...templates[template].terms(currency),
  };
}

/** The icon of what an automation waits for. */
export function iconOf({ trigger, action }: Pick<AutomationTerms, 'trigger' | 'action'>): IconName {
  if (trigger.is === 'BIRTHDAY') return 'cake';
  if (trigger.is === 'ANNIVERSARY') return 'gift';
  if (trigger.is === 'AFTER_HIRE') return trigger.days === 0 ? 'heart' : 'flag';
  if (trigger.is === 'UNRECOGNIZED' || action.is === 'NUDGE') return 'bell';
  return 'calendar';
}
