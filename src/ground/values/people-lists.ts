/** What lists of many people with their addresses or numbers are about, as the audit log names them. */
export const peopleLists = [
  'people',
  'gifts',
  'orders',
  'redemptions',
  'budgets',
  'payroll',
  'recognition',
  'emails',
  'users',
] as const;

export type PeopleList = (typeof peopleLists)[number];
