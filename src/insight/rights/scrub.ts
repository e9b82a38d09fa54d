import { isObject } from '../../ground/values/differences.ts';
import { neutralText } from '../../ground/values/personal.ts';

/** What identifies a person in texts of others. */
export interface Traces {
  /** Wherever they stand as whole words: full names, addresses, logins, phone numbers, employee numbers with letters. */
  texts: readonly string[];
  /** Where they are a whole value: employee numbers, ids of identity providers, first and last names in their own fields. */
  values: readonly string[];
}

/** Letters of languages that write no spaces between words, or add particles to a name: each stands for itself. */
const unspaced =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]';
const ofWord = `[[\\p{L}\\p{N}]--${unspaced}]`;
const words = new RegExp(`${unspaced}|${ofWord}+`, 'gv');

/**
 * Replaces what identifies people in a text, or in the texts of a JSON value. The same value if there is nothing. A text is compared only with what begins
 * with one of its words, so the cost does not grow with the number of people.
 */
export function scrubber({ texts, values }: Traces): (value: unknown) => unknown {
  const whole = new Set(values.map(wholeForm));
  const byFirstWord = Map.groupBy(texts.flatMap(formsOf), (text) => wordsOf(text)[0] ?? '');
  const scrub = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (whole.has(wholeForm(value))) return neutralText;
      const possible = [...new Set(['', ...wordsOf(value)])].flatMap((word) => byFirstWord.get(word) ?? []);
      return possible.length === 0 ? value : value.replaceAll(patternOf(possible), neutralText);
    }
    if (Array.isArray(value)) {
      const after = value.map(scrub);
      return after.every((one, nth) => one === value[nth]) ? value : after;
    }
    if (isObject(value)) {
      const after = Object.entries(value).map(([key, one]) => [key, scrub(one)] as const);
      return after.every(([key, one]) => one === value[key]) ? value : Object.fromEntries(after);
    }
    return value;
  };
  return scrub;
}

/** An accent is a part of its letter, or stands behind it. */
const formsOf = (text: string): string[] => [...new Set([text.normalize('NFC'), text.normalize('NFD')])];
const wholeForm = (text: string): string => text.normalize('NFC').toLowerCase();

/** The words of a text, so that those which a pattern without regard to case takes for the same are the same: “Straße” and “STRASSE” too. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().toUpperCase().match(words) ?? [];
}

/** Longer ones first, so that a name is replaced as a whole. */
function patternOf(texts: readonly string[]): RegExp {
  const longestFirst = texts.toSorted((one, other) => other.length - one.length);
  return new RegExp(`(?<!${ofWord})(?:${longestFirst.map(RegExp.escape).join('|')})(?!${ofWord})`, 'giv');
}
