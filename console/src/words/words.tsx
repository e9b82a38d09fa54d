import { en } from './en/index.ts';
import { createSpoken } from './spoken.tsx';

/** All texts of the console. English is the reference: the other languages have the type of it, so a missing text is a type error. */
export type Words = typeof en;

export const { WordsProvider, useWords, useFormats, useLanguage } = createSpoken<Words>(en, {
  fr: async () => (await import('./fr/index.ts')).fr,
  es: async () => (await import('./es/index.ts')).es,
});
