import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeouts } from '../../src/doors/http/connections/connections.ts';
import { DirectMail, longestWaitMs } from '../../src/giving/delivery/send/direct-mail.ts';
import { maxConnections } from '../../src/giving/delivery/send/transport.ts';
import { cleanUp } from '../support/cleanup.ts';
import { startMailServer } from '../support/mail-server.ts';

test('whoever waits for a test mail hears that the mail server stalls before the request is cut', async () => {
  assert.ok(longestWaitMs < timeouts.requestTimeout);
  const server = await startMailServer({ onMail: () => new Promise(() => {}) });
  const config = { mailServer: server.url, mailFrom: 'gifts@acme.example', dkim: null };
  const directMail = new DirectMail(config, 2_000);
  cleanUp(() => directMail.close());
  const mail = { from: config.mailFrom, to: 'ada@acme.example', subject: 'Hi', text: 'Hi' };
  const all = await Promise.all(Array.from({ length: maxConnections + 2 }, () => directMail.send(mail)));
  for (const { delivery, answer } of all) {
    assert.equal(delivery, 'FAILED');
    assert.match(answer ?? '', /the mail server took too long/);
  }
  assert.ok(server.mails.length <= maxConnections, 'the others have spent their time waiting');
});
