import { fullFormats } from 'ajv-formats/dist/formats.js';
import { longest } from './text.ts';

const address = fullFormats.email as RegExp;

/** Checks the format `email`. The length is checked first, because the pattern is slow on very long texts. */
export function isEmail(value: string): boolean {
  return value.length <= longest.email && address.test(value);
}

export const notEmail = 'must be an e-mail address';

/**
 * The form in which JavaScript compares email addresses and logins. The database decides whom an address identifies, by its own
 * `lower()` (`addressKey` of directory/who.ts), and this function agrees with it:
 *
 * - Email addresses have ASCII letters alone (`isEmail`). They agree exactly in every database that the service accepts:
 *   database/server.ts refuses a locale with other lower cases of A to Z. So an import, which decides in JavaScript whether two rows
 *   are one person, decides as the database would.
 * - Logins, and texts that name a manager, may have other letters. They agree in the locale C.UTF-8, which lower-cases letter by
 *   letter: hence no Greek final sigma, and an İ becomes a plain i. Other locales may differ in these, and the locale C has no
 *   cases beyond ASCII. That neither merges two people nor makes two of one, because JavaScript compares such texts only to decide
 *   whether an address and a login change together, whether an identifier of another person is sent unchanged, and which
 *   person of the same file or resource is named as manager.
 */
export function addressKey(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return Array.from(text, (letter) => (letter === 'İ' ? 'i' : letter.toLowerCase())).join('');
}

const isAscii = /^[\0-\x7f]*$/;
