import { isLanguageRegion, languages } from '../../../../../src/ground/values/language.ts';

/**
 * The code of a language as the service has it, from FR_CA, fr-CA, fr or its name in one of our languages. A language without a region
 * is the first of `offered` that is one of it. Null for anything else.
 */
export function readLanguage(text: string, offered: readonly string[]): string | null {
  const code = text.replace('-', '_').toUpperCase();
  if (isLanguageRegion(code)) return code;
  const name = text.toLocaleLowerCase();
  return offered.find((one) => one.slice(0, 2) === code || namesOf(one.slice(0, 2)).has(name)) ?? null;
}

const known = new Map<string, ReadonlySet<string>>();

/** In our languages, in German and in the language itself. */
function namesOf(language: string): ReadonlySet<string> {
  const tag = language.toLowerCase();
  const names = known.get(tag) ?? new Set([...languages, 'de', tag].map((one) => nameIn(one, tag)));
  known.set(tag, names);
  return names;
}

function nameIn(locale: string, language: string): string {
  return new Intl.DisplayNames(locale, { type: 'language' }).of(language)?.toLocaleLowerCase() ?? language;
}
