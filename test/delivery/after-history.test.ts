import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillEditions } from '../../src/giving/delivery/fill-editions.ts';
import { startHistory } from '../../src/ground/database/history.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { mailSettings, mailStates, orderGifts } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';

const mails = await startMailServer();
const database = await createTestDatabase();
await startHistory(database, 'a test');
const service = await startService({ ...mailSettings(mails.url), database });

async function order(address: string) {
  const [gift] = await orderGifts(service, [address]);
  assert.ok(gift);
  return gift;
}

test('the emails about gifts go out in a new history', async () => {
  const gift = await order('mei@acme.example');
  assert.ok(gift.edition > 0, 'a lost history may have emailed the link of its first edition');
  const [mail] = await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  assert.equal(mail?.edition, gift.edition);
  assert.equal(mails.to('mei@acme.example').length, 1);
});

test('emails that a new history has cancelled go out after the upgrade, those of cancelled gifts do not', async () => {
  const [first, second] = [await order('one@acme.example'), await order('two@acme.example')];
  for (const { id } of [first, second]) await mailStates(service, id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  const both = [first.id, second.id];
  const theirs = '(select workspace_id, request_id, position from certificates where id = any($1::bigint[]))';
  await database.query(
    `delete from mails where kind = 'REMINDER' and (workspace_id, request_id, position) in ${theirs}`,
    [both],
  );
  await database.query(
    `update mails set edition = 0, state = 'CANCELLED', attempts = 0 where (workspace_id, request_id, position) in ${theirs}`,
    [both],
  );
  await database.query(`update certificates set state = 'CANCELLED' where id = $1`, [second.id]);
  const fill = () => database.transaction((tx) => fillEditions(tx, service.workspaceId, null, 10));
  // The service's own worker may be faster.
  await fill();
  assert.equal(await fill(), null);
  await mailStates(service, first.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  await eventually(async () => mails.to('one@acme.example').length === 2);
  await mailStates(service, second.id, ['GIFT CANCELLED']);
});
