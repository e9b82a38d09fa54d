/**
 * The languages of emails, gift pages and the console, with the regions that the console offers. Each has a folder of texts in
 * `giving/gifts/words/` and in `console/src/words/`.
 */
const regions = { en: ['CA', 'US', 'GB'], fr: ['CA', 'FR'], es: ['MX', 'ES', 'US'] } as const;

export type Language = keyof typeof regions;
export const languages = Object.keys(regions) as Language[];

/** Our languages in their regions: EN_CA, FR_CA. */
export const languageRegions = languages.flatMap((one) =>
  regions[one].map((region) => `${one.toUpperCase()}_${region}`),
);

/** What its speakers call a language: Français. */
export function ownName(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

// Made when the first code is looked up: reading the names takes 24 ms, and few processes need them.
let languageNames: Intl.DisplayNames | null = null;
let regionNames: Intl.DisplayNames | null = null;
// Codes that Intl can name although no country or territory has them.
const noRegions = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

const checked = new Map<string, boolean>();

/** `LL_CC` with a language and a region that exist: EN_CA, FR_CA, ES_MX. */
export function isLanguageRegion(code: string): boolean {
  const [, language, region] = /^([A-Z]{2})_([A-Z]{2})$/.exec(code) ?? [];
  if (!language || !region) return false;
  // There are 26^4 codes of this form, and few are used: each is looked up once.
  let exists = checked.get(code);
  if (exists === undefined) {
    const tag = `${language.toLowerCase()}-${region}`;
    // Codes that were replaced, as UK by GB, are known too, and have another canonical form.
    const isCurrent = !noRegions.has(region) && Intl.getCanonicalLocales(tag)[0] === tag;
    languageNames ??= namesOf('language');
    regionNames ??= namesOf('region');
    exists = isCurrent && Boolean(languageNames.of(language.toLowerCase()) && regionNames.of(region));
    checked.set(code, exists);
  }
  return exists;
}

function namesOf(type: 'language' | 'region'): Intl.DisplayNames {
  return new Intl.DisplayNames('en', { type, fallback: 'none' });
}

export const notLanguageRegion = 'must be a language with its region, for example FR_CA';

/**
 * The language of a person as other systems write it: fr-CA, fr_CA, fr, French, Français (Canada), or a list of them, of which the first
 * counts. A language alone has the region in which most people speak it. Undefined for any other text.
 */
export function readLanguageRegion(text: string): string | undefined {
  const [first = ''] = text.split(/[,;]/);
  const name = first.trim();
  const [, language, region] = /^([a-z]{2})(?:[-_][a-z]{4})?(?:[-_]([a-z]{2}))?$/i.exec(name) ?? [];
  if (language === undefined) return regionsByName().get(name.toLowerCase());
  const code = `${language}_${region ?? usualRegion(language)}`.toUpperCase();
  return isLanguageRegion(code) ? code : undefined;
}

function usualRegion(language: string): string {
  return new Intl.Locale(language).maximize().region ?? '';
}

let byName: Map<string, string> | null = null;

/** Our languages by their names, in each of them and in German. Made when the first name is looked up. */
function regionsByName(): Map<string, string> {
  if (byName) return byName;
  byName = new Map();
  for (const reader of [...languages, 'de']) {
    const shown = new Intl.DisplayNames(reader, { type: 'language', languageDisplay: 'standard' });
    const add = (tag: string, code: string) => byName?.set((shown.of(tag) ?? tag).toLowerCase(), code);
    for (const one of languages) add(one, `${one}_${usualRegion(one)}`.toUpperCase());
    for (const code of languageRegions) add(`${code.slice(0, 2).toLowerCase()}-${code.slice(3)}`, code);
  }
  return byName;
}
