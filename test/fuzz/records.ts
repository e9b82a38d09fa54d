import { type Ids, readIds } from '../support/requests.ts';
import type { TestService } from '../support/service.ts';
import type { OwnRecords } from './own.ts';

/** What is in the workspace at the moment, so that generated requests name records that exist. */
export interface Records {
  ids: Ids;
  emails: readonly string[];
  employeeNumbers: readonly string[];
  /** Gift codes that a till can check and redeem. */
  codes: readonly string[];
  /** Of the manager among the callers. */
  own: OwnRecords;
}

export async function readRecords(
  service: TestService,
  token: string,
  workspace: number,
): Promise<Omit<Records, 'own'>> {
  const ids = await readIds(service.database, workspace);
  const people = await service.database.query<{ email: string | null; employee_number: string | null }>(
    `select email, employee_number from members
      where workspace_id = $1 and not is_integration and merged_into is null
      order by exists (select from budgets b where b.workspace_id = $1 and b.member_id = members.id) desc, id desc
      limit 30`,
    [workspace],
  );
  const [unspent] = await service.database.query<{ request_id: string }>(
    `select request_id from certificates
      where workspace_id = $1 and state in ('ISSUED', 'CLAIMED', 'PARTLY_REDEEMED')
      order by id desc limit 1`,
    [workspace],
  );
  const order = await service.call<{ certificates?: { shortToken: string }[] }>(
    `/api/v1/orders/${unspent?.request_id ?? ids.orders}`,
    { token, workspace },
  );
  return {
    ids,
    emails: people.flatMap(({ email }) => email ?? []),
    employeeNumbers: people.flatMap(({ employee_number }) => employee_number ?? []),
    codes: (order.body.certificates ?? []).map(({ shortToken }) => shortToken),
  };
}
