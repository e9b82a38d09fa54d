import type { AutomationTerms } from '../../ground/contract/automation.ts';

type Messages = AutomationTerms['messages'];
/** A language of messages, as EN. */
export type MessageLanguage = keyof Messages & string;

/** The placeholders that every automation has. The others are keys of custom fields. */
export const commonPlaceholders = ['firstName', 'lastName', 'years', 'team', 'company'] as const;

/** What placeholders stand for; null or an empty text: the person has no value. */
export type PlaceholderValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

const placeholder = /\{([^{}]+)\}/g;

/** The placeholders of a text, each once. */
export function placeholdersOf(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(placeholder), ([, name]) => name as string))];
}

/** Replaces the placeholders of a message. A value is taken as it is: braces in it are no placeholders. */
export function renderMessage(
  text: string,
  values: PlaceholderValues,
  missing: Readonly<Record<string, string>>,
): string {
  return text.replaceAll(placeholder, (_, name: string) => {
    if (hasValue(values, name)) return String(values[name]);
    return Object.hasOwn(missing, name) ? (missing[name] as string) : '';
  });
}

export function hasValue(values: PlaceholderValues, name: string): boolean {
  if (!Object.hasOwn(values, name)) return false;
  const value = values[name];
  return value !== null && value !== undefined && value !== '';
}

/**
 * The language of the message that a person gets: their own, else the workspace's, else the first there is. Null without any message. Languages of
 * people and workspaces have a region, for example FR_CA.
 */
export function languageOf(
  messages: Messages,
  own: string | null | undefined,
  workspace: string | null | undefined,
): MessageLanguage | null {
  const written = (Object.keys(messages) as MessageLanguage[]).filter((one) => messages[one]);
  const find = (code: string | null | undefined) => written.find((one) => one === code?.slice(0, 2).toUpperCase());
  return find(own) ?? find(workspace) ?? written[0] ?? null;
}
