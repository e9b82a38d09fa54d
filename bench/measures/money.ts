import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { seal } from '../../src/company/workspaces/seals.ts';
import { postLines } from '../../src/giving/budgets/books.ts';
import { addBudget } from '../../src/giving/budgets/manage.ts';
import { giftRecord, giftRecordKey } from '../../src/giving/gifts/sealed.ts';
import { orderRecord } from '../../src/giving/orders/sealed.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { migrate } from '../../src/ground/database/migrate.ts';
import { verifyLedger } from '../../src/insight/books/verify.ts';
import { fill } from '../fill.ts';
import { type Call, load } from '../load.ts';
import { type Bench, createAccess } from '../programs.ts';
import { inRounds, type Series } from '../series.ts';
import type { Sizes } from '../sizes.ts';
import { costOf } from './cpu.ts';
import { anOrder } from './throughput.ts';

/**
 * Orders a second that are accepted without a budget, with one, and with one beside a workspace whose budget is exhausted. And the CPU time
 * of an order without a budget and with one, of the service and PostgreSQL together.
 */
export async function measureBudgets(bench: Bench, sizes: Sizes): Promise<Series> {
  const service = await bench.startService('budgets', { GIFTWIRE_ROLE: 'api' });
  const [free, rich, poor] = [service.workspaceId, service.workspaceId + 1, service.workspaceId + 2];
  const amounts = { [rich]: 1_000_000_000, [poor]: 1 };
  for (const [workspaceId, amount] of Object.entries(amounts))
    await service.database.transaction((tx) =>
      addBudget(tx, atTheCommandLine, Number(workspaceId), { currency: 'CAD', amount }),
    );
  const order = (workspaceId: number) => service.call('POST', '/api/v1/orders', anOrder(1), workspaceId);
  const rate = (workspaceId: number) => async () =>
    (await load({ url: service.url, calls: [order(workspaceId)], seconds: sizes.seconds })).perSecond;
  const cpuTime = (workspaceId: number) => async () => {
    const { program, database } = await costOf(bench, service, [order(workspaceId)], sizes.seconds);
    return program + database;
  };
  const measures = {
    cpuAcceptedFree: cpuTime(free),
    cpuAcceptedBudget: cpuTime(rich),
    acceptedFree: rate(free),
    acceptedBudget: rate(rich),
    acceptedBesideExhausted: async () => {
      const refused = sendSteadily(service.url, order(poor));
      const perSecond = await rate(rich)();
      if ((await refused()) === 0) throw new Error('no order of the exhausted workspace was refused');
      return perSecond;
    },
  };
  await inRounds(Math.max(sizes.warmUps, 1), measures);
  return inRounds(sizes.rounds * 2, measures);
}

const refusedPerSecond = 100;

/** Sends orders that are refused, until the returned function is called, which says how many there were. */
function sendSteadily(url: string, { path, ...call }: Call): () => Promise<number> {
  let isOver = false;
  let refused = 0;
  const sending = (async () => {
    while (!isOver) {
      const { statusCode, body } = await request(url + path, call);
      await body.dump();
      if (statusCode === 402) refused++;
      await sleep(1_000 / refusedPerSecond);
    }
  })();
  return async () => {
    isOver = true;
    await sending;
    return refused;
  };
}

/** Seconds to verify the ledger of a million gifts, and to add their amounts up. */
export async function measureLedger(bench: Bench, sizes: Sizes): Promise<Series> {
  const database = await bench.createDatabase('ledger');
  await migrate(database);
  const { workspaceId } = await createAccess(database, 1);
  const gifts = sizes.ledgerGifts;
  await fill(database, { workspaceId, members: gifts / 10, gifts, giftsPerOrder: 4 }, () => {});
  await postAll(database, workspaceId);
  await bench.checkpoint();
  const measures = {
    verified: () =>
      seconds(async () => {
        const { faults } = await verifyLedger(database);
        if (faults.length > 0) throw new Error(faults[0]?.problem);
      }),
    summed: () => seconds(() => database.query('select sum(amount) from certificates')),
  };
  await inRounds(1, measures);
  return inRounds(sizes.rounds, measures);
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1_000;
}

const batch = 500;

/** Posts the entries and writes the seals that fulfilment would have written. */
export async function postAll(database: Database, workspaceId: number): Promise<void> {
  await inWorkspace(database, workspaceId, async (tx, moment) => {
    const lines = await tx.query<{ requestId: string; amount: number; currency: string }>(
      `select c.request_id as "requestId", sum(c.amount) as amount, min(r.currency) as currency
         from certificates c
         join order_requests r using (workspace_id, request_id)
        where workspace_id = $1
        group by 1`,
      [workspaceId],
    );
    for (let from = 0; from < lines.length; from += batch) {
      const some = lines.slice(from, from + batch);
      await postLines(tx, workspaceId, moment, 'ISSUED', some);
      await seal(
        tx,
        workspaceId,
        { record: orderRecord, keys: some.map(({ requestId }) => requestId) },
        { record: giftRecord, keys: some.map(({ requestId }) => giftRecordKey({ requestId, position: 0 })) },
      );
    }
  });
  await database.pool.query('vacuum (analyze) ledger_entries, budgets, seals');
}
