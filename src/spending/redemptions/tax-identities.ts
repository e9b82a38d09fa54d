import type { Queryable } from '../../ground/database/database.ts';
import { lineOfPeople } from './payroll-lines.ts';

/** Until the end of the seventh year after this one. */
export const taxEnd = 'make_date(extract(year from now())::int + 7, 12, 31)';

/** Keeps the legal name and the number of a person who is about to be erased for the tax log, if they have spent something or are in a payroll file. */
export async function keepForTax(
  tx: Queryable,
  workspaceId: number,
  id: number,
  records: readonly number[],
): Promise<void> {
  await tx.query(
    `insert into tax_identities (workspace_id, member_id, first_name, last_name, employee_number, keep_until)
     select m.workspace_id, m.id, m.first_name, m.last_name, m.employee_number,
            ${taxEnd}
       from members m
      where m.workspace_id = $1
        and m.id = $2
        and (exists (select from certificates c where c.workspace_id = $1 and c.member_id = any($3::bigint[]) and c.redeemed > 0)
             or exists (${lineOfPeople('$1', '$3')}))
         on conflict do nothing`,
    [workspaceId, id, records],
  );
}
