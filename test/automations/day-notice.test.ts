import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailSettings } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { openTeam } from '../support/manager-mails.ts';
import { startService } from '../support/service.ts';

const mailServer = await startMailServer();
const service = await startService(mailSettings(mailServer.url));
const { database } = service;

test('on the page of their birthday gift, people decide that colleagues are not told, and can undo it', async () => {
  const { workspace, occur, set, ids, team, inbox } = await openTeam(service, mailServer);
  const requestId = await workspace.submit([
    { recipient: { email: `ana@${team}` }, amount: 25, message: 'Happy birthday!' },
  ]);
  await workspace.finished(requestId);
  const order = await workspace.read<{ certificates: { longToken: string }[] }>(`/api/v1/orders/${requestId}`);
  const token = order.certificates[0]?.longToken ?? '';
  const look = async () => (await inbox.post('/g', { token })).text;
  const hidden = async () => {
    const [row] = await database.query<{ days: string | null }>(
      'select hidden_days as days from members where workspace_id = $1 and id = $2',
      [workspace.id, ids.ana],
    );
    return row?.days;
  };
  assert.doesNotMatch(await look(), /Colleagues/);
  await inbox.post('/g/notice', { token, hide: 'yes' });
  assert.equal(await hidden(), null);

  const id = await occur(ids.ana, 'SENT');
  await set(id, `request_id = '${requestId}'`);
  assert.match(await look(), /Colleagues are told about your birthday\. Do not tell them/);
  assert.match(
    (await inbox.post('/g/notice', { token, hide: 'yes' })).text,
    /Colleagues are not told about your birthday\. Tell them again/,
  );
  assert.equal(await hidden(), 'BIRTHDAY');
  await inbox.post('/g/notice', { token, hide: 'no' });
  assert.equal(await hidden(), null);
  await workspace.change(ids.ana, { hiddenDays: 'ANNIVERSARY' });
  await inbox.post('/g/notice', { token, hide: 'yes' });
  assert.equal(await hidden(), 'BOTH');
  await inbox.post('/g/notice', { token, hide: 'no' });
  assert.equal(await hidden(), 'ANNIVERSARY');
});
