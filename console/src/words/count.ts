import type { Language } from '../../../src/ground/values/language.ts';

/** `count('en')(3, '# gift', '# gifts')` is "3 gifts". */
export function count(language: Language) {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (value: number, one: string, other: string) =>
    (rules.select(value) === 'one' ? one : other).replace('#', numbers.format(value));
}
