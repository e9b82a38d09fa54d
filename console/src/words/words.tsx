import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { type Language, languages } from '../../../src/ground/values/language.ts';
import { en } from './en/index.ts';
import { createFormats, type Formats } from './formats.ts';

/** All texts of the console. English is the reference: the other languages have the type of it, so a missing text is a type error. */
export type Words = typeof en;

const others: Record<Exclude<Language, 'en'>, () => Promise<Words>> = {
  fr: async () => (await import('./fr/index.ts')).fr,
  es: async () => (await import('./es/index.ts')).es,
};

interface Spoken {
  words: Words;
  language: Language;
  formats: Formats;
  /** The person chooses a language here. */
  speak: (language: Language) => void;
  /** The language of the account, unless another was chosen in this browser. Accounts start with English. */
  suggest: (language: Language) => void;
}

const Context = createContext<Spoken | null>(null);
const kept = 'giftwire.language';

/** The texts of all screens in the language of the person. */
export function useWords(): Words {
  return useSpoken().words;
}

/** How money, dates and numbers are written in the language of the person. */
export function useFormats(): Formats {
  return useSpoken().formats;
}

export function useLanguage(): Pick<Spoken, 'language' | 'speak' | 'suggest'> {
  return useSpoken();
}

function useSpoken(): Spoken {
  const spoken = use(Context);
  if (!spoken) throw new Error('WordsProvider is missing');
  return spoken;
}

export function WordsProvider({ children }: { children: ReactNode }) {
  const [wanted, setWanted] = useState(firstLanguage);
  const [loaded, setLoaded] = useState<{ language: Language; words: Words } | null>(
    wanted === 'en' ? { language: 'en', words: en } : null,
  );
  useEffect(() => {
    let isCurrent = true;
    const load = wanted === 'en' ? Promise.resolve(en) : others[wanted]();
    load.then((words) => isCurrent && setLoaded({ language: wanted, words }));
    document.documentElement.lang = wanted;
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  const spoken = useMemo(() => {
    if (!loaded) return null;
    const speak = (language: Language) => {
      localStorage.setItem(kept, language);
      setWanted(language);
    };
    const suggest = (language: Language) => {
      if (localStorage.getItem(kept) === null && language !== 'en') setWanted(language);
    };
    return { ...loaded, formats: createFormats(loaded.language), speak, suggest };
  }, [loaded]);
  return spoken && <Context value={spoken}>{children}</Context>;
}

/** The language chosen here before, else the first of the browser's that we speak. */
function firstLanguage(): Language {
  const wanted = [localStorage.getItem(kept) ?? '', ...navigator.languages];
  return wanted.map((tag) => languages.find((one) => one === tag.slice(0, 2))).find((one) => one !== undefined) ?? 'en';
}
