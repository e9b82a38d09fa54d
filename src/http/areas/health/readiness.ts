import type { Queryable } from '../../../database/database.ts';
import { readSchema } from '../../../database/schema.ts';
import type { Check, Readiness } from './area.ts';

/** Checks the database, its schema and, where this process has one, the worker. */
export function createReadiness(
  database: Queryable,
  findWorker: () => { isRunning(): boolean } | null,
  hasStarted: () => boolean,
): Readiness {
  return async () => {
    const worker = findWorker();
    const checks: Record<string, Check> = {};
    try {
      const { pending, unknown } = await readSchema(database);
      const detail = unknown.length > 0 ? 'newer' : pending.length > 0 ? 'pending' : 'current';
      checks.database = { ok: true, detail: 'answers' };
      checks.migrations = { ok: detail === 'current', detail };
    } catch {
      checks.database = { ok: false, detail: 'does not answer' };
    }
    if (worker) checks.worker = { ok: worker.isRunning(), detail: worker.isRunning() ? 'running' : 'not running' };
    if (!hasStarted()) checks.start = { ok: false, detail: 'under way' };
    return checks;
  };
}
