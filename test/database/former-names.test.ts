import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../../src/ground/database/migrate.ts';
import { openBefore } from '../support/earlier-schema.ts';

const gift = `1, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f', 0`;

test('what was stored about ways and wishes has the names of spending options and requests', async () => {
  const database = await openBefore('0025', 'it has a redemption without a gift');
  const data = `'{"redemptionId": 7, "way": "charity"}'`;
  for (const insert of [
    `redemptions (workspace_id, request_id, position, id, way, kind, way_name, tax_type, amount, state, body, at, detail)
     values (${gift}, 7, 'charity', 'HAND', 'Food bank', 'NON_CASH', 10, 'DONE', '{"giftId": 3, "way": "charity", "wish": "Trees"}',
             now(), '{"wish": "Trees", "note": "Done."}')`,
    `mails (workspace_id, request_id, position, kind, edition, nth, state, due_at) values (${gift}, 'WISH', 0, 1, 'SENT', now())`,
    `gift_log (workspace_id, request_id, position, type, at, detail) values (${gift}, 'REDEEMED', now(), ${data})`,
    `events (workspace_id, number, type, created_at, data) values (1, 1, 'gift.redeemed', now(), ${data})`,
    `audit_log (workspace_id, id, actor, action) values (1, 1, 'CLI', 'way.set')`,
  ])
    await database.query(`insert into ${insert}`);

  await migrate(database);
  const renamed = { redemptionId: 7, spendingOption: 'charity' };
  const expected: Record<string, unknown> = {
    'spending_option, spending_option_name, body, detail from redemptions': {
      spending_option: 'charity',
      spending_option_name: 'Food bank',
      body: { giftId: 3, spendingOption: 'charity', requestText: 'Trees' },
      detail: { requestText: 'Trees', note: 'Done.' },
    },
    'kind from mails': { kind: 'DECISION' },
    'detail from gift_log': { detail: renamed },
    'data from events': { data: renamed },
    'action from audit_log': { action: 'spending_option.set' },
  };
  for (const [what, row] of Object.entries(expected)) assert.deepEqual(await database.query(`select ${what}`), [row]);
});
