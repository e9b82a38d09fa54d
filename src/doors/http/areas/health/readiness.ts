import type { Queryable } from '../../../../ground/database/database.ts';
import { readSchema } from '../../../../ground/database/schema.ts';
import type { Check, Readiness } from './area.ts';

export interface ReadinessOptions {
  database: Queryable;
  /** Whether orders can be stored. Null if this process accepts none. */
  canStore: (() => Promise<boolean>) | null;
  findWorker: () => { isRunning(): boolean } | null;
  hasStarted: () => boolean;
}

/** Checks the database, its schema and, where this process has them, the acceptance of orders and the worker. */
export function createReadiness({ database, canStore, findWorker, hasStarted }: ReadinessOptions): Readiness {
  return async () => {
    const worker = findWorker();
    const checks: Record<string, Check> = {};
    try {
      const { pending, unknown } = await readSchema(database);
      const detail = unknown.length > 0 ? 'newer' : pending.length > 0 ? 'pending' : 'current';
      checks.database = { ok: true, detail: 'answers' };
      checks.migrations = { ok: detail === 'current', detail };
      if (canStore) checks.writes = await canStore().then((ok) => ({ ok, detail: ok ? 'work' : 'are rejected' }));
    } catch {
      checks.database = { ok: false, detail: 'does not answer' };
    }
    if (worker) checks.worker = { ok: worker.isRunning(), detail: worker.isRunning() ? 'running' : 'not running' };
    if (!hasStarted()) checks.start = { ok: false, detail: 'under way' };
    return checks;
  };
}
