import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { OrderRecord } from '../../src/ground/contract/order.ts';
import { readWrongs } from '../support/books.ts';
import { checkLedger } from '../support/budgets.ts';
import { eventually } from '../support/eventually.ts';
import { projectDir } from '../support/process.ts';
import { type Facts, releases, restoreRelease } from '../support/releases.ts';
import { startService } from '../support/service.ts';

const recorded = globSync('*.sql.gz', { cwd: releases }).map((file) => basename(file, '.sql.gz'));
const changelog = readFileSync(join(projectDir, 'CHANGELOG.md'), 'utf8');
const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+) – .*, schema (\d{4})$/gm)].map(([, version, schema]) => ({
  version: version as string,
  schema: schema as string,
}));

test('every release has its database here, to upgrade from', () => {
  assert.ok(released.length > 0);
  assert.deepEqual(recorded.sort(), released.map(({ version }) => version).sort());
});

for (const { version, schema } of released) {
  test(`from ${version}, nothing is lost: orders, gift tokens, tokens, reports, and an order that waits`, async () => {
    const { database, facts } = await restoreRelease(version);
    const [last] = await database.query<{ name: string }>(
      'select name from public.migrations order by name desc limit 1',
    );
    assert.equal(last?.name.slice(0, 4), schema, `CHANGELOG.md names another schema for ${version}`);

    const { call, stop } = await startService({ database, tokenKey: facts.tokenKey });
    const as = { token: facts.token, workspace: 1 };
    const { body: order } = await call<OrderRecord>(`/api/v1/orders/${facts.finished.requestId}`, as);
    assert.deepEqual(order, facts.finished);
    const waited = await finishedOrder(call, facts.waiting, as);
    assert.equal(waited.certificates.length, 2);

    const { body: activity } = await call<Facts['activity']>('/api/v1/reports/teams/activity?size=12', as);
    assert.equal(activity.totalElements, facts.activity.totalElements + 2);
    assert.deepEqual(activity.activities.slice(2), facts.activity.activities);
    const { body: recognized } = await call<Facts['recognized']>('/api/v1/reports/members/last-recognized?size=10', as);
    assert.equal(recognized.totalElements, facts.recognized.totalElements + 1);
    assert.deepEqual(
      (await readWrongs(database)).filter((wrong) => !isOlderThanEvents(schema, wrong)),
      [],
    );
    await checkLedger(database);
    await stop();
  });
}

/** Records that were merged before there were events have none. */
function isOlderThanEvents(schema: string, wrong: string): boolean {
  return schema < '0010' && /were not merged with exactly one event/.test(wrong);
}

async function finishedOrder(call: Awaited<ReturnType<typeof startService>>['call'], id: string, as: object) {
  return eventually(
    async () => (await call<OrderRecord>(`/api/v1/orders/${id}`, as)).body,
    ({ state }) => state === 'COMPLETED',
  );
}
