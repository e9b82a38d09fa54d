import type { Queryable } from '../../ground/database/database.ts';
import { isOwnFault } from '../../ground/database/errors.ts';
import type { LedgerFault } from './checks.ts';

/**
 * Runs a statement of a verification. A value that was changed with SQL so that it cannot be read is a finding, never the end of the
 * verification: `unreadable` says what is returned then, and other statements go on.
 */
export async function ifReadable<T>(
  on: Queryable,
  read: () => Promise<T>,
  unreadable: (code: string) => T,
): Promise<T> {
  await on.query('savepoint statement');
  try {
    const result = await read();
    await on.query('release savepoint statement');
    return result;
  } catch (error) {
    if (!isOwnFault(error)) throw error;
    await on.query('rollback to savepoint statement');
    return unreadable((error as { code: string }).code);
  }
}

/** Runs a statement that returns findings. */
export function findProblems(
  on: Queryable,
  check: string,
  values: readonly [workspaceId: number | null, ...unknown[]],
): Promise<LedgerFault[]> {
  return ifReadable(
    on,
    () => on.query<LedgerFault>(check, values, 'once'),
    (code) => [unreadable(values[0], code)],
  );
}

/** The message of PostgreSQL is left out: it quotes the value. */
export function unreadable(workspaceId: number | null, code: string): LedgerFault {
  return {
    workspaceId,
    budgetId: null,
    number: null,
    problem: `A value cannot be read (${code}): it was changed with SQL. What it should agree with was not compared.`,
  };
}
