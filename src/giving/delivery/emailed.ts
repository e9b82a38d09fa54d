const tables = ['approval_mails', 'digest_mails', 'manager_mails'];

/** True for a person `alias` of `members` of the workspace $1 who gets an email of these kinds, or got one. Emails about gifts have their gifts. */
export function isEmailed(alias: string): string {
  const found = tables.map((table) => `select q.member_id from ${table} q where q.workspace_id = $1`);
  return `${alias}.id in (${found.join(' union all ')})`;
}
