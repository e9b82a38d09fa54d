/** What is known of a person's names. The first and the last name are the legal ones. */
export interface PersonNames {
  firstName: string;
  lastName: string;
  preferredName?: string | null | undefined;
}

/**
 * The first and the last name that people see. A preferred name of one word takes the place of the first name, and a longer one that of the
 * whole name. Legal names are for payroll and tax files alone. `directory/names.ts` is the same rule in SQL.
 */
export function shownNames({ firstName, lastName, preferredName }: PersonNames): {
  firstName: string;
  lastName: string;
} {
  if (!preferredName) return { firstName, lastName };
  const [, first, last] = /^(.*\S)\s+(\S+)$/s.exec(preferredName) ?? [];
  return { firstName: first ?? preferredName, lastName: last ?? lastName };
}
