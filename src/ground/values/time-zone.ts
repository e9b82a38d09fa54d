export const notTimeZone = 'must be a time zone of the IANA list, for example America/Toronto';

/** Offsets, as +05:00, are left out: PostgreSQL reads their sign the other way round. */
export function isTimeZone(value: string): boolean {
  if (!/^[A-Z]/i.test(value)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: value }));
  } catch {
    return false;
  }
}

let written: Map<string, string> | null = null;

/** A zone as the IANA list writes it: names are compared in any case, and with blanks in place of `_`. Undefined for any other text. */
export function readTimeZone(text: string): string | undefined {
  const name = text.trim().replaceAll(' ', '_');
  written ??= new Map(Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone]));
  return written.get(name.toLowerCase()) ?? (isTimeZone(name) ? name : undefined);
}
