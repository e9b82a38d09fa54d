interface Named {
  firstName: string;
  lastName: string;
  email?: string | null | undefined;
  employeeNumber?: string | null | undefined;
}

/** The name of a person, or else how they are known; `unknown` if nothing is known. */
export function nameOf({ firstName, lastName, email, employeeNumber }: Named, unknown = '–'): string {
  return `${firstName} ${lastName}`.trim() || email || employeeNumber || unknown;
}
