import { pino } from 'pino';
import type { Engine } from '../../src/giving/automations/engine.ts';
import { Rush } from '../../src/giving/delivery/send/rush.ts';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import { readPendingLines } from '../../src/giving/orders/pending-lines.ts';
import { Shoutouts } from '../../src/giving/recognition/give.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { createMetrics } from '../../src/ground/metrics.ts';
import { createSteps } from '../../src/steps.ts';
import { CompanyHistory } from './automations-history.ts';
import { cleanUp } from './cleanup.ts';
import { createTestDatabase } from './database.ts';
import { createGrant } from './grant.ts';
import { Random } from './random.ts';

const steps = createSteps({
  metrics: createMetrics(),
  log: pino({ level: 'silent' }),
  mailsGifts: false,
  rush: new Rush(),
});

/** A node that runs automations, with its own connections. */
function engineOn(url: string): Engine {
  const database = openDatabase({ url, name: 'test', maxConnections: 6, statementTimeoutMs: 60_000, byKey: true });
  cleanUp(() => database.close());
  return {
    database,
    acceptance: new Acceptance(database, steps.accept),
    shoutouts: new Shoutouts(database, readPendingLines, steps.shoutouts),
    emailManagers: null,
  };
}

/** Two nodes on one database. Returns the history of a company of a seed there, from its beginning through some steps. */
export async function openHistories() {
  const { url } = await createTestDatabase();
  const engines = [engineOn(url), engineOn(url)] as const;
  return async (seed: number, size: { people: number; steps: number }): Promise<number> => {
    const { workspaceId } = await createGrant(engines[0].database, { acceptsLeavers: true });
    const history = new CompanyHistory(engines, workspaceId, new Random(seed));
    await history.begin(size.people);
    for (let nth = 0; nth < size.steps; nth += 1) await history.step();
    return history.end();
  };
}
