import { type PersonNames, shownNames } from '../../../src/ground/values/person-name.ts';

interface Named extends PersonNames {
  email?: string | null | undefined;
  employeeNumber?: string | null | undefined;
}

/** The name of a person that people see, or else how they are known; `unknown` if nothing is known. */
export function nameOf({ email, employeeNumber, ...names }: Named, unknown = '–'): string {
  const { firstName, lastName } = shownNames(names);
  return `${firstName} ${lastName}`.trim() || email || employeeNumber || unknown;
}
