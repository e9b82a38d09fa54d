import { languageChoices } from '../../gift/terms.ts';
import type { en } from '../../words/en/index.ts';
import type { Formats } from '../../words/formats.ts';
import type { DetailWords } from './detail.ts';

/** The names of details are those of the screens where people set them. */
export function detailWords(words: typeof en, { locale, moment, money, number }: Formats): Omit<DetailWords, 'nameOf'> {
  const { audit, account, gifts, people, settings, spending, tokens, users } = words;
  const { branding, policies } = settings;
  const { reminders: reminderDays, beforeExpiry: reminderDaysBeforeExpiry, ...rules } = policies;
  const languages = languageChoices('EN_CA', locale).map(({ value, label }) => [value, label]);
  return {
    fields: {
      ...textsOf(rules),
      reminderDays,
      reminderDaysBeforeExpiry,
      ...textsOf(branding),
      description: spending.description,
      currencies: spending.currencies,
      minAmount: spending.least,
      maxAmount: spending.most,
      allowsParts: spending.allowsParts,
      link: spending.link,
      kind: spending.kind,
      taxType: spending.taxType,
      ...audit.fields,
    },
    values: {
      ...Object.fromEntries(languages),
      ...people.importing.fields,
      ...users.roles,
      ...account.ways,
      ...tokens.scopes,
      ...spending.kinds,
      ...spending.taxTypes,
      ...gifts.deliveries,
      ...gifts.states,
      ...audit.values,
    },
    moment,
    money,
    number,
    named: audit.named,
    oneOrder: gifts.oneOrder,
    yes: audit.yes,
    no: audit.no,
    none: '–',
  };
}

function textsOf(words: object): Record<string, string> {
  return Object.fromEntries(Object.entries(words).filter(([, text]) => typeof text === 'string'));
}
