import { isEmail } from '../../../values/email.ts';
import { isLanguageRegion } from '../../../values/language.ts';
import { isText } from '../../../values/text.ts';
import { uuid } from '../../../values/uuid.ts';
import type { Format } from '../../validation.ts';

/** The formats that the schemas of the contract use, and what is said of a value that has another. */
export function createFormats(currencies: readonly string[]): Record<string, Format> {
  const known = new Set(currencies);
  return {
    text: { fits: isText, problem: 'must be text without NUL or broken characters' },
    email: { fits: isEmail, problem: 'must be an e-mail address' },
    uuid: { fits: (text) => uuid.test(text), problem: 'must be a UUID' },
    currency: { fits: (code) => known.has(code), problem: 'must be a current ISO 4217 currency code, as CAD' },
    'language-region': { fits: isLanguageRegion, problem: 'must be a language and a region, as EN_CA' },
  };
}
