import type { Queryable } from '../../ground/database/database.ts';

/** The channel on which every change of a token or a workspace is announced. Processes that cache grants listen on it. */
export const grantsChannel = 'giftwire_grants';

/**
 * Announces that grants have changed. Functions that change api_tokens, api_token_workspaces or workspaces call this in the
 * same transaction: PostgreSQL sends the announcement when the transaction commits.
 */
export async function announceGrantChange(tx: Queryable): Promise<void> {
  await tx.query(`select pg_notify('${grantsChannel}', '')`);
}
