import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { splitStatements, withoutComments } from './statements.ts';

/** The last migration of 0.7.0. Nodes serve while later ones run; for this one and those before it they are stopped. */
export const lastWithStop = '0033_one_form_of_names';

/**
 * How a migration runs. `transaction`: all of it, or nothing. `resumable`: one statement after another, each in its own transaction; after a failure
 * it runs again from the beginning, and what is done already is passed over or does no harm. The first line of a file says `-- resumable`.
 */
export type MigrationKind = 'transaction' | 'resumable';

export interface Migration {
  name: string;
  kind: MigrationKind;
  sql: string;
  statements: readonly string[];
  /** Whether nodes are stopped while it runs, so that it may hold locks. */
  needsStop: boolean;
}

export async function readMigration(folder: string, name: string): Promise<Migration> {
  const sql = await readFile(join(folder, `${name}.sql`), 'utf8');
  return {
    name,
    kind: /^-- resumable\b/.test(sql) ? 'resumable' : 'transaction',
    sql,
    statements: splitStatements(sql),
    needsStop: name <= lastWithStop,
  };
}

/** The index that a statement builds concurrently, and its table. */
export function builtIndex(statement: string): { index: string; table: string } | null {
  const [, index, table] =
    /^create (?:unique )?index concurrently (?:if not exists )?(\w+) on (\w+)/i.exec(withoutComments(statement)) ?? [];
  return index && table ? { index, table } : null;
}

/**
 * Statements that wait for a lock which stops no reads and no writes of others, and may wait for long: `concurrently`, and the validation of
 * a constraint. PostgreSQL does not run `concurrently` in a transaction.
 */
export function stopsNobody(statement: string): boolean {
  return /^(create|drop) (unique )?index concurrently |^alter table \w+ validate constraint /i.test(
    withoutComments(statement),
  );
}
