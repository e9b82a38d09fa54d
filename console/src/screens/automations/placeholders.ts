/** The message as a person reads it: the values of the person, else what stands in place of a missing one. */
export function readAs(
  text: string,
  values: Readonly<Record<string, string>>,
  missing: Readonly<Record<string, string>>,
): string {
  return text.replace(/\{([^{}]+)\}/g, (_, name: string) => values[name] || missing[name] || '');
}
