import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { type Language, languages } from '../../../src/ground/values/language.ts';
import { createFormats, type Formats } from './formats.ts';

interface Spoken<Texts> {
  words: Texts;
  language: Language;
  formats: Formats;
  /** The person chooses a language here. */
  speak: (language: Language) => void;
  /** The language of the account, unless another was chosen in this browser. Accounts start with English. */
  suggest: (language: Language) => void;
}

const kept = 'giftwire.language';

/** The texts of an app in the language of the person. English is loaded with the app, the others when they are spoken. */
export function createSpoken<Texts>(en: Texts, others: Record<Exclude<Language, 'en'>, () => Promise<Texts>>) {
  const Context = createContext<Spoken<Texts> | null>(null);

  function useSpoken(): Spoken<Texts> {
    const spoken = use(Context);
    if (!spoken) throw new Error('WordsProvider is missing');
    return spoken;
  }

  function WordsProvider({ children }: { children: ReactNode }) {
    const [wanted, setWanted] = useState(firstLanguage);
    const [loaded, setLoaded] = useState<{ language: Language; words: Texts } | null>(
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

  return {
    WordsProvider,
    /** The texts of all screens in the language of the person. */
    useWords: () => useSpoken().words,
    /** How money, dates and numbers are written in the language of the person. */
    useFormats: () => useSpoken().formats,
    useLanguage: (): Pick<Spoken<Texts>, 'language' | 'speak' | 'suggest'> => useSpoken(),
  };
}

/** The language chosen here before, else the first of the browser's that we speak. */
function firstLanguage(): Language {
  const wanted = [localStorage.getItem(kept) ?? '', ...navigator.languages];
  return wanted.map((tag) => languages.find((one) => one === tag.slice(0, 2))).find((one) => one !== undefined) ?? 'en';
}
