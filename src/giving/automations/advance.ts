import { audit } from '../../company/workspaces/audit.ts';
import { advanceClock } from '../../company/workspaces/clock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import { beginDuePeriods } from '../budgets/allowances.ts';
import type { Engine } from './engine.ts';
import { runWorkspace } from './run.ts';
import { readActive } from './store.ts';

const daySeconds = 86_400;

/**
 * Moves a workspace's time forward as if the days passed one by one: after each of them budgets begin their periods and automations do what is due. So
 * nothing is late because time was moved. Without automations it is one step.
 */
export async function advanceTime(engine: Engine, actor: Actor, workspaceId: number, seconds: number): Promise<void> {
  const { database } = engine;
  const isOneStep = (await readActive(database, workspaceId)).length === 0;
  const step = isOneStep ? seconds : daySeconds;
  for (let left = seconds; left > 0; left -= step) {
    await database.transaction(async (tx) => {
      await advanceClock(tx, workspaceId, Math.min(left, step));
      const detail = { days: seconds / daySeconds };
      if (left === seconds) await audit(tx, { workspaceId, actor, action: 'workspace.clock_moved', detail });
    });
    if (isOneStep) return;
    await beginDuePeriods(database);
    await runWorkspace(engine, workspaceId);
  }
}
