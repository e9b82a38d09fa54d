import { audit } from '../../company/workspaces/audit.ts';
import { advanceClock } from '../../company/workspaces/clock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import { beginDuePeriods } from '../budgets/allowances.ts';
import type { Engine } from './engine.ts';
import { runWorkspace } from './run.ts';
import { readActive } from './store.ts';

export const daySeconds = 86_400;

/**
 * Moves a workspace's time forward as if the days passed one by one: after each of them budgets begin their periods and automations do what is due. So
 * nothing is late because time was moved. Without automations it is one step. It stops after the day in which `withinMs` ends, and returns how many
 * seconds are left.
 */
export async function advanceTime(
  engine: Engine,
  actor: Actor,
  workspaceId: number,
  seconds: number,
  withinMs = Number.POSITIVE_INFINITY,
): Promise<number> {
  const ends = performance.now() + withinMs;
  const { database } = engine;
  const isOneStep = (await readActive(database, workspaceId)).length === 0;
  const step = isOneStep ? seconds : daySeconds;
  let left = seconds;
  do {
    await database.transaction(async (tx) => {
      await advanceClock(tx, workspaceId, Math.min(left, step));
      const detail = { days: seconds / daySeconds };
      if (left === seconds) await audit(tx, { workspaceId, actor, action: 'workspace.clock_moved', detail });
    });
    left = Math.max(0, left - step);
    if (isOneStep) break;
    await beginDuePeriods(database);
    await runWorkspace(engine, workspaceId);
  } while (left > 0 && performance.now() < ends);
  return left;
}
