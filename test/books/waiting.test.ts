import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyNew } from '../../src/insight/books/verify.ts';
import { checkLedger, setBudget, tamper } from '../support/budgets.ts';
import { tokenKey } from '../support/gift-page.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { verifyFully } from '../support/verifications.ts';

const api = await startService({ tokenKey, role: 'api' });
const { database, workspaceId } = api;
const verify = async () => (await verifyNew(database, workspaceId)).faults;

async function order(amount: number, terms = {}): Promise<string> {
  const asked = { method: 'POST', body: anOrder({ orderItems: [aGift({ amount, ...terms })] }) };
  const { status, body } = await api.call<{ requestId: string }>('/api/v1/orders', asked);
  assert.equal(status, 201);
  return body.requestId;
}

test('orders that wait while the books are verified agree, before and after they are fulfilled', async () => {
  await setBudget(database, workspaceId, { amount: 500 });
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const waiting = [await order(10), await order(20, { deliverAt: inAnHour }), await order(450)];
  assert.deepEqual(await verifyFully(database, workspaceId), []);
  assert.deepEqual(await verify(), []);
  waiting.push(await order(5));
  assert.deepEqual(await verify(), []);
  const reserve = `update order_budgets set amount = amount + 1 where request_id = '${waiting[0]}'`;
  const said = await tamper(database, reserve, async (inside) => (await verifyNew(inside, workspaceId)).faults);
  assert.match(said.join('\n'), /is committed, and .* is reserved for orders that wait/);
  await database.pool.query(`
    create function fail_large() returns trigger language plpgsql as $$
    begin
      if new.amount = 450 then raise exception 'a gift that cannot be issued'; end if;
      return new;
    end $$;
    create trigger fail_large before insert on certificates for each row execute function fail_large()`);
  await startService({ tokenKey, role: 'worker', databaseUrl: database.url });
  const outcomes = await Promise.all(waiting.map((requestId) => api.finished(requestId)));
  assert.deepEqual(
    outcomes.map(({ requestStatus }) => requestStatus),
    ['COMPLETED', 'COMPLETED', 'FAILED', 'COMPLETED'],
  );
  assert.deepEqual(await verify(), []);
  assert.deepEqual(await verifyFully(database, workspaceId), []);
  assert.deepEqual(await verify(), []);
  await checkLedger(database);
});
