const rules = { en: new Intl.PluralRules('en'), fr: new Intl.PluralRules('fr'), es: new Intl.PluralRules('es') };
const numbers = { en: new Intl.NumberFormat('en'), fr: new Intl.NumberFormat('fr'), es: new Intl.NumberFormat('es') };

/** `count('en')(3, '# gift', '# gifts')` is "3 gifts". */
export function count(language: keyof typeof rules) {
  return (value: number, one: string, other: string) =>
    (rules[language].select(value) === 'one' ? one : other).replace('#', numbers[language].format(value));
}
