/** The columns that names can be in. */
type NameField = 'firstName' | 'lastName' | 'fullName' | 'preferredName' | 'preferredFirstName' | 'preferredLastName';

type ReadCell = (field: NameField) => string | null | undefined;

interface Names {
  firstName?: string | null;
  lastName?: string | null;
}

/** The legal names, and the preferred name if the file has one. */
export function readPersonNames(read: ReadCell): Names & { preferredName?: string | null } {
  const names = readGiven(read);
  const preferredName = readPreferred(read, names);
  return { ...names, ...(preferredName !== undefined && { preferredName }) };
}

/**
 * A preferred name is a whole name in some systems, and only a first name in others. Separate columns come before it. A preferred first name
 * of several words is written with the last name, because several words are a whole name.
 */
function readPreferred(read: ReadCell, { firstName, lastName }: Names): string | null | undefined {
  const [first, last] = [read('preferredFirstName'), read('preferredLastName')];
  if (last) return `${first || firstName || ''} ${last}`.trim();
  if (first) return /\s/.test(first) && lastName ? `${first} ${lastName}` : first;
  const preferred = read('preferredName');
  if (!preferred?.includes(',')) return preferred === undefined ? (first === undefined ? last : first) : preferred;
  const apart = takeApart(preferred);
  return `${apart.firstName ?? ''} ${apart.lastName ?? ''}`.trim();
}

function readGiven(read: ReadCell): Names {
  const fullName = read('fullName');
  if (fullName !== undefined) return takeApart(fullName);
  const firstName = read('firstName');
  const lastName = read('lastName');
  return { ...(firstName !== undefined && { firstName }), ...(lastName !== undefined && { lastName }) };
}

/** Splits `Lovelace, Ada` at the comma, and any other name at its last blank. */
function takeApart(fullName: string | null): Names {
  const [, last, first] = /^([^,]+),\s*(.+)$/s.exec(fullName ?? '') ?? [];
  if (last !== undefined && first !== undefined) return { firstName: first.trim(), lastName: last.trim() };
  const [, ...parts] = /^(.*\S)\s+(\S+)$/s.exec(fullName ?? '') ?? [null, fullName, null];
  return { firstName: parts[0] ?? null, lastName: parts[1] ?? null };
}
