import { languageRegions } from '../../../src/ground/values/language.ts';
import { currencies } from '../../../src/ground/values/money.ts';

/** The usual currency of a region, for a first suggestion. */
const byRegion: Record<string, string> = {
  CA: 'CAD',
  US: 'USD',
  MX: 'MXN',
  GB: 'GBP',
  CH: 'CHF',
  AU: 'AUD',
  NZ: 'NZD',
  JP: 'JPY',
  BR: 'BRL',
  IN: 'INR',
  SE: 'SEK',
  NO: 'NOK',
  DK: 'DKK',
  PL: 'PLN',
  AR: 'ARS',
  CL: 'CLP',
  CO: 'COP',
};
const common = ['CAD', 'USD', 'EUR', 'GBP', 'MXN', 'CHF', 'AUD'];
const kept = (workspaceId: number) => `giftwire.currency.${workspaceId}`;

/** The currency of the last gift that was sent here, else that of the workspace's region. */
export function usualCurrency(workspaceId: number, language: string): string {
  return localStorage.getItem(kept(workspaceId)) ?? byRegion[language.slice(3)] ?? 'EUR';
}

export function keepCurrency(workspaceId: number, currency: string): void {
  localStorage.setItem(kept(workspaceId), currency);
}

/** The usual ones first, then every current one. An operator may have narrowed the list: the service says so. */
export function currencyChoices(first: string): string[] {
  return [...new Set([first, ...common, ...currencies])];
}

/** The languages that emails and gift pages speak, the workspace's own first, then those of its region. */
export function languageCodes(own: string): string[] {
  const region = own.slice(2);
  return [...new Set([own, ...languageRegions.filter((one) => one.endsWith(region)), ...languageRegions])];
}

/** The same by their names in the reader's language. */
export function languageChoices(own: string, locale: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard' });
  return languageCodes(own).map((value) => ({ value, label: names.of(value.replace('_', '-')) ?? value }));
}

/**
 * What a field for date and time has, as the moment that it means here; null: now. What is no date, as one with a year of six digits,
 * stays as it is: the service refuses it and names the field, and no gift goes out now that was meant for later.
 */
export function momentOf(local: string): string | null {
  if (local === '') return null;
  const moment = new Date(local);
  return Number.isNaN(moment.getTime()) ? local : moment.toISOString();
}

/** Now, as a field for date and time takes it. */
export function localNow(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
