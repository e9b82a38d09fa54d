import { isEmail, notEmail } from '../../../values/email.ts';
import { isLanguageRegion } from '../../../values/language.ts';
import {
  isDay,
  isMoment,
  isReportDay,
  notDay,
  notDayOrMoment,
  notMoment,
  notReportDay,
} from '../../../values/moment.ts';
import { notCurrency } from '../../../values/money.ts';
import { isText, notText } from '../../../values/text.ts';
import { uuid } from '../../../values/uuid.ts';
import type { Format } from '../../faults.ts';

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
    'language-region': { fits: isLanguageRegion, problem: 'must be a language and a region, as EN_CA' },
  };
}
