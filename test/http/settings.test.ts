import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Settings } from '../../src/ground/contract/settings.ts';
import { eventually } from '../support/eventually.ts';
import { aPng } from '../support/mails.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService({ mailServer: 'outbox' });
const path = '/api/v1/settings';
const change = (body: unknown) => service.call<Settings>(path, { method: 'PATCH', body });

test('settings that are left out stay, null removes one, and every wrong one is named', async () => {
  const before = (await service.call<Settings>(path)).body;
  const changed = { brandName: ' Northwind ', colour: '#0f5c5c', acceptsLeavers: true, reminderDays: [2] };
  const { body } = await change(changed);
  assert.deepEqual(body, {
    ...before,
    brandName: 'Northwind',
    colour: '#0F5C5C',
    acceptsLeavers: true,
    reminderDays: [2],
  });
  assert.deepEqual((await change({ brandName: null, colour: '' })).body, { ...body, brandName: null, colour: null });
  const { status, body: refusal } = await change({ brandName: 'a\nb', colour: '#777777', giftDays: 0 });
  assert.equal(status, 400);
  const { message } = refusal as unknown as { message: string };
  for (const field of ['brandName', 'colour', 'giftDays']) assert.ok(message.includes(`${field} `), message);
  assert.equal((await service.call<Settings>(path)).body.giftDays, before.giftDays);
});

test('a change of settings is in the audit log with who made it', async () => {
  const { call } = await signIn(service, { name: 'Samir Marín' });
  await call(path, { method: 'PATCH', body: { asksForApproval: true } });
  const [entry] = await service.database.query(
    `select actor_name, action, detail from audit_log where action like 'settings.%' order by id desc limit 1`,
  );
  const detail = { asksForApproval: true };
  assert.deepEqual(entry, { actor_name: 'Samir Marín', action: 'settings.changed', detail });
});

test('a logo is a PNG or JPEG of at most 100 KB', async () => {
  const put = (body: Buffer, type = 'image/png') =>
    service.call<Settings>(`${path}/logo`, { method: 'PUT', body, headers: { 'Content-Type': type } });
  const { body } = await put(aPng(540, 120));
  assert.equal((await fetch(`${service.url}${body.logo}`)).status, 200);
  const large = await put(Buffer.concat([aPng(1, 1), Buffer.alloc(150_000)]));
  for (const other of ['{}', '1', 'null'])
    assert.equal((await put(Buffer.from(other), 'application/json')).status, 415, other);
  assert.match(String((large.body as unknown as { message: string }).message), /^The logo has 151 KB/);
  assert.equal((await put(Buffer.from('<svg/>'))).status, 400);
  assert.equal((await put(Buffer.from('<svg/>'), 'image/svg+xml')).status, 415);
});

test('an auditor reads settings and changes none', async () => {
  const { call } = await signIn(service, { role: 'AUDITOR' });
  assert.equal((await call(path)).status, 200);
  assert.equal((await call(path, { method: 'PATCH', body: { name: 'Mine' } })).status, 403);
});

test('the pages of the outbox have each mail once, also those that were sent at the same moment', async () => {
  const orderItems = Array.from({ length: 8 }, (_, nth) => aGift({ recipient: { email: `page${nth}@example.com` } }));
  await service.fulfilled(anOrder({ orderItems }));
  type Page = { mails: { id: string; sentAt: string }[] };
  const list = (query: string) => service.call<Page>(`/api/v1/outbox?${query}`);
  await eventually(async () => (await list('size=100')).body.mails.length >= 8);
  await service.database.query(
    `insert into mails (workspace_id, request_id, position, kind, edition, nth, state, due_at)
     select workspace_id, request_id, position, other.kind, other.edition, other.nth, 'SENT', due_at
       from mails
      cross join (values ('REMINDER', 0, 1), ('GIFT', 1, 0), ('REMINDER', 1, 1)) other (kind, edition, nth)
      where mails.kind = 'GIFT'
         on conflict (workspace_id, request_id, position, kind, edition, nth) do update set state = 'SENT'`,
  );
  await service.database.query(`update mails set sent_at = '2026-11-02T14:03:27.512345Z' where state = 'SENT'`);
  const all = (await list('size=100')).body.mails;
  assert.ok(all.length >= 32);
  const read: string[] = [];
  for (let before = ''; ; before = `&before=${read.at(-1)}`) {
    const { mails } = (await list(`size=5${before}`)).body;
    read.push(...mails.map(({ id }) => id));
    if (mails.length < 5) break;
  }
  assert.deepEqual(
    read,
    all.map(({ id }) => id),
  );
  assert.equal(new Set(read).size, read.length);
  const moment = all[0]?.sentAt as string;
  assert.deepEqual((await list(`before=${moment}`)).body, { mails: [] });
  assert.equal((await list('size=100&before=2026-11-02T14:03:28Z')).body.mails.length, all.length);
  for (const before of ['999999999', '1-gone', 'yesterday', '2026-11-02'])
    assert.match(refusal(await list(`before=${before}`), 400), /before must be the id of an email/);
});

test('the outbox is of the test environment, and of the workspace alone', async () => {
  await service.fulfilled(anOrder());
  const list = () => service.call<{ mails: { id: string }[] }>('/api/v1/outbox');
  const mails = await eventually(async () => {
    const { body } = await list();
    return body.mails.length > 0 && body.mails;
  });
  const other = await service.addWorkspace();
  const { token } = await service.addToken({ workspaces: [other] });
  const stranger = { token, workspace: other };
  assert.deepEqual((await service.call('/api/v1/outbox', stranger)).body, { mails: [] });
  assert.equal((await service.call(`/api/v1/outbox/${mails[0]?.id}`, stranger)).status, 404);
});

test('only callers who may manage gifts read the outbox, because its emails have the links of gifts', async () => {
  await service.fulfilled(anOrder());
  const list = () => service.call<{ mails: { id: string }[] }>('/api/v1/outbox');
  const [mail] = await eventually(async () => {
    const { body } = await list();
    return body.mails.length > 0 && body.mails;
  });
  const readers = [
    (await signIn(service, { role: 'AUDITOR' })).call,
    await callerWith(['settings:read', 'settings:manage', 'gifts:read', 'orders:read']),
  ];
  for (const call of readers)
    for (const path of ['/api/v1/outbox', `/api/v1/outbox/${mail?.id}`])
      assert.match(refusal(await call(path), 403), /gifts:manage|role/);
  const call = await callerWith(['gifts:manage']);
  assert.equal((await call(`/api/v1/outbox/${mail?.id}`)).status, 200);
});

async function callerWith(scopes: string[]) {
  const { token } = await service.addToken({ scopes });
  return (path: string) => service.call(path, { token });
}
