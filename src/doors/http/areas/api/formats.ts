import { isEmail, notEmail } from '../../../../ground/values/email.ts';
import { isLanguageRegion } from '../../../../ground/values/language.ts';
import {
  isDay,
  isMoment,
  isReportDay,
  notDay,
  notDayOrMoment,
  notMoment,
  notReportDay,
} from '../../../../ground/values/moment.ts';
import { notCurrency } from '../../../../ground/values/money.ts';
import { isText, notText } from '../../../../ground/values/text.ts';
import { uuid } from '../../../../ground/values/uuid.ts';
import type { Format } from '../../errors/faults.ts';

/** The formats that the schemas of the contract use, and what is said of a value that has another. */
export function createFormats(currencies: readonly string[]): Record<string, Format> {
  const known = new Set(currencies);
  return {
    text: { fits: isText, problem: notText },
    email: { fits: isEmail, problem: notEmail },
    date: { fits: isDay, problem: notDay },
    'report-day': { fits: isReportDay, problem: notReportDay },
    'date-time': { fits: isMoment, problem: notMoment },
    'day-or-moment': { fits: (text) => isDay(text) || isMoment(text), problem: notDayOrMoment },
    uuid: { fits: (text) => uuid.test(text), problem: 'must be a UUID' },
    currency: { fits: (code) => known.has(code), problem: notCurrency },
    'language-region': { fits: isLanguageRegion, problem: 'must be a language and a region, for example EN_CA' },
  };
}
