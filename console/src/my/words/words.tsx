import { createSpoken } from '../../words/spoken.tsx';
import { en } from './en/index.ts';

/** All texts of the employees' app. English is the reference: the other languages have the type of it, so a missing text is a type error. */
export type MyWords = typeof en;

export const { WordsProvider, useWords, useFormats, useLanguage } = createSpoken<MyWords>(en, {
  fr: async () => (await import('./fr/index.ts')).fr,
  es: async () => (await import('./es/index.ts')).es,
});
