/** The columns that names can be in. */
type NameField = 'firstName' | 'lastName' | 'fullName' | 'preferredName' | 'preferredFirstName' | 'preferredLastName';

type ReadCell = (field: NameField) => string | null | undefined;

interface Names {
  firstName?: string | null;
  lastName?: string | null;
}

/** First and last name: the preferred names if the file has them, else those of the other columns. */
export function readPreferredNames(read: ReadCell): Names {
  const names = readGiven(read);
  const preferred = read('preferredName');
  if (preferred) Object.assign(names, readPreferred(preferred, names.lastName ?? null));
  const first = read('preferredFirstName');
  const last = read('preferredLastName');
  if (first || (first === null && names.firstName === undefined)) names.firstName = first;
  if (last || (last === null && names.lastName === undefined)) names.lastName = last;
  return names;
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

/**
 * A preferred name is a whole name in some systems, and only a first name in others. If the row has a last name, the preferred
 * name is whole if it ends with that last name.
 */
function readPreferred(preferred: string, lastName: string | null): Names {
  if (lastName === null || preferred.includes(',')) return takeApart(preferred);
  const isWhole = preferred.toLowerCase().endsWith(` ${lastName.toLowerCase()}`);
  return { firstName: isWhole ? preferred.slice(0, -lastName.length).trim() : preferred };
}
