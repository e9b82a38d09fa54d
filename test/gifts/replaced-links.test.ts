import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../support/budgets.ts';
import { eventually } from '../support/eventually.ts';
import { createGifts, tokenKey } from '../support/gift-page.ts';
import { whileLocked } from '../support/held-locks.ts';
import { offerSpendingOption } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { refusal } from '../support/workspace.ts';

// A request finds its gift first, then waits until no other changes the workspace. Meanwhile the link and the code can be replaced.

const service = await startService({ tokenKey });
const { database, workspaceId } = service;
const gifts = createGifts(service);
await offerSpendingOption(database, workspaceId, 'shop');

/** Until this many transactions wait for the lock of a workspace. */
const waitFor = (count: number) =>
  eventually(
    () =>
      database.query(
        `select from pg_locks l join pg_database d on d.oid = l.database
          where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
      ),
    ({ length }) => length === count,
  );

/** Sends a request that finds its gift, and replaces the gift's link and code before the request may change it. */
async function whileReplacing<T>({ id }: { id: number }, request: () => Promise<T>): Promise<T> {
  const { replaced, response } = await whileLocked(database.url, [workspaceId], async () => {
    const replaced = gifts.reissue({ id });
    await waitFor(1);
    const response = request();
    await waitFor(2);
    return { replaced, response };
  });
  assert.equal((await replaced).edition, 1);
  return response;
}

test('a code that is replaced while a till redeems with it redeems nothing', async () => {
  const certificate = await gifts.order();
  const body = { token: certificate.shortToken, amount: 5 };
  const headers = { 'Idempotency-Key': 'late' };
  const redeem = () => service.call('/api/v1/gifts/redemptions', { method: 'POST', body, headers });
  assert.match(refusal(await whileReplacing(certificate, redeem), 404), /No gift of this workspace has this code/);
  const { state, redeemed } = await gifts.read(certificate);
  assert.deepEqual([state, redeemed], ['ISSUED', 0]);
  await checkLedger(database);
});

test('a link that is replaced while it claims its gift claims nothing', async () => {
  const certificate = await gifts.order();
  const claim = () => gifts.post('/g/claim', { token: certificate.longToken });
  assert.equal((await whileReplacing(certificate, claim)).status, 404);
  assert.equal((await gifts.read(certificate)).state, 'ISSUED');
});
