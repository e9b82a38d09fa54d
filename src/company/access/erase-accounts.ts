import type { Queryable } from '../../ground/database/database.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { closeWaysIn, lockAccount } from './account.ts';
import { hasRoles } from './roles.ts';

/** The accounts that act as these records. */
export async function accountsActingAs(
  on: Queryable,
  workspaceId: number,
  records: readonly number[],
): Promise<number[]> {
  const rows = await on.query<{ id: number }>(
    'select user_id as id from user_roles where workspace_id = $1 and member_id = any($2::bigint[]) order by user_id',
    [workspaceId, records],
  );
  return rows.map(({ id }) => id);
}

/** Takes the role of these accounts in the workspace away. An account without another role goes, with its sessions. Tokens that act as one of the records end. */
export async function eraseAccounts(
  tx: Queryable,
  workspaceId: number,
  accounts: readonly number[],
  records: readonly number[],
): Promise<void> {
  for (const id of accounts) await lockAccount(tx, id);
  await tx.query('delete from user_roles where workspace_id = $1 and user_id = any($2::bigint[])', [
    workspaceId,
    accounts,
  ]);
  const gone = await tx.query<{ id: number }>(
    `select id from users u where id = any($1::bigint[]) and not ${hasRoles('u')}`,
    [accounts],
  );
  for (const { id } of gone) {
    await closeWaysIn(tx, id);
    await tx.query('delete from sessions where user_id = $1', [id]);
    await tx.query('delete from users where id = $1', [id]);
  }
  await tx.query('delete from api_token_workspaces where workspace_id = $1 and member_id = any($2::bigint[])', [
    workspaceId,
    records,
  ]);
  await announceGrantChange(tx);
}
