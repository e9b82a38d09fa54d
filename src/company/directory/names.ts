/*
 * The names that people see of `alias`, a record of members. `shownNames` (values/person-name.ts) says the rule. Legal names,
 * `first_name` and `last_name`, are for payroll and tax files, for the record itself, and for systems that keep it.
 */

export function shownFirstName(alias: string): string {
  return `coalesce(regexp_replace(${alias}.preferred_name, '\\s+\\S+$', ''), ${alias}.first_name)`;
}

export function shownLastName(alias: string): string {
  return `coalesce(substring(${alias}.preferred_name from '\\s(\\S+)$'), ${alias}.last_name)`;
}

/** Empty if no name is known. */
export function shownName(alias: string): string {
  return `trim(${shownFirstName(alias)} || ' ' || ${shownLastName(alias)})`;
}
