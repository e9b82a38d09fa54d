import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { sealVersion } from '../../src/company/workspaces/seals.ts';
import type { RedemptionPage } from '../../src/ground/contract/redemption.ts';
import { verifyLedger, verifyNew } from '../../src/insight/books/verify.ts';
import { checkLedger, setBudget } from '../support/budgets.ts';
import { whileBusy } from '../support/eventually.ts';
import { createGifts, tokenKey } from '../support/gift-page.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { offerAllOptions } from '../support/spending.ts';
import { verifyFully } from '../support/verifications.ts';

const service = await startService({ tokenKey });
const { database, workspaceId } = service;
const gifts = createGifts(service);
const { claimed, spend } = await offerAllOptions(service, gifts);
const post = (path: string) =>
  whileBusy(() =>
    service.call<{ message?: string }>(`/api/v1${path}`, {
      method: 'POST',
      body: {},
      token: service.token,
      workspace: workspaceId,
    }),
  );

test('verification reports nothing while orders, claims, redemptions, reversals and payroll exports run', async () => {
  await setBudget(database, workspaceId, { amount: 10_000 });
  let isOver = false;
  let verified = 0;
  const verifying = (async () => {
    while (!isOver) {
      assert.deepEqual((await verifyLedger(database, { workspaceId })).faults, []);
      assert.deepEqual((await verifyLedger(database)).faults, []);
      assert.deepEqual((await verifyNew(database, workspaceId)).faults, []);
      verified++;
    }
  })();
  let inPieces = 0;
  const verifyingInPieces = (async () => {
    while (!isOver) {
      assert.deepEqual(await verifyFully(database, workspaceId), []);
      inPieces++;
    }
  })();
  const ordering = async () => {
    for (let nth = 0; nth < 8; nth++)
      await service.fulfilled(anOrder({ orderItems: [1, 2, 3].map((amount) => aGift({ amount })) }));
  };
  const spending = async (option: string) => {
    for (let nth = 0; nth < 8; nth++) {
      const { longToken } = await claimed(10);
      assert.equal((await spend(longToken, { option, amount: '4' })).status, 200);
    }
  };
  const paying = async () => {
    for (let nth = 0; nth < 8; nth++) {
      await post('/payroll-exports');
      const { body } = await service.call<RedemptionPage>('/api/v1/redemptions?size=3', {
        token: service.token,
        workspace: workspaceId,
      });
      for (const { id, state, kind } of body.redemptions)
        if (state === 'DONE' && kind === 'PAYROLL') await post(`/redemptions/${id}/reverse`);
        else if (state === 'REQUESTED') await post(`/redemptions/${id}/${nth % 2 ? 'fulfil' : 'decline'}`);
    }
  };
  const cancelling = async () => {
    for (let nth = 0; nth < 8; nth++) {
      const { id } = await gifts.order({ amount: 5 });
      assert.equal((await post(`/gifts/${id}/cancel`)).status, 200);
    }
  };
  await Promise.all([ordering(), spending('payroll'), spending('charity'), paying(), cancelling()]);
  isOver = true;
  await Promise.all([verifying, verifyingInPieces]);
  assert.ok(verified > 0);
  assert.ok(inPieces > 0);
  assert.deepEqual((await verifyNew(database, workspaceId)).faults, []);
  await checkLedger(database);
});

test('a record that a node of the next version has sealed by other columns is not reported', async () => {
  const { id } = await gifts.order({ amount: 5 });
  await inWorkspace(database, workspaceId, async (tx) => {
    await tx.query('update certificates set claimed_at = now() where workspace_id = $1 and id = $2', [workspaceId, id]);
    await tx.query(nextVersionSql, [workspaceId, id]);
  });
  await checkLedger(database);
});

/** A seal as a next version may write it: it continues the chain, and its hashes are made of what only that version knows. */
const nextVersionSql = `
  with last as (select number + 1 as number, hash as previous from seals where workspace_id = $1 order by number desc limit 1),
  gift as (select request_id || '/' || position / 16 as key, sha256('another text') as hash from certificates where workspace_id = $1 and id = $2)
  insert into seals (workspace_id, number, version, at, records, keys, hashes, previous, hash)
  select $1, number, ${sealVersion + 1}, now(), '{gifts}', array[key], array[gift.hash], previous,
         sha256(convert_to(concat_ws(E'\\n', 'giftwire seals 1', encode(previous, 'hex'), $1::bigint, number, ${sealVersion + 1},
           to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'gifts', key, encode(gift.hash, 'hex')), 'UTF8'))
    from last, gift`;
