import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from '../../../src/ground/values/language.ts';

type Values = Record<string, string | number>;

/**
 * `speak('en')('{n, plural, one {# gift} other {# gifts}}', { n: 3 })` is "3 gifts". Texts with a number are written as emails and gift pages
 * write them: in the message format of ICU, which knows the plurals of every language.
 */
export function speak(language: Language): (text: string, values: Values) => string {
  const parsed = new Map<string, IntlMessageFormat>();
  return (text, values) => {
    const message = parsed.get(text) ?? new IntlMessageFormat(text, language, undefined, { ignoreTag: true });
    parsed.set(text, message);
    return String(message.format(values));
  };
}
