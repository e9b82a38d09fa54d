import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Giftwire } from '@giftwire/sdk';
import nodemailer from 'nodemailer';
import { certificateProblem as problemForClients } from '../../sdk/src/certificate.ts';
import { createOidcProvider } from '../../src/company/access/oidc.ts';
import { createGuardedAgent } from '../../src/company/events/webhooks/connector.ts';
import { postEvent } from '../../src/company/events/webhooks/post.ts';
import { mailOutcomeOf } from '../../src/giving/delivery/send/outcome.ts';
import type { EventRecord } from '../../src/ground/contract/event.ts';
import { certificateProblem } from '../../src/ground/values/certificate.ts';
import { selfSigned } from '../support/certificate.ts';
import { cleanUp } from '../support/cleanup.ts';

const server = createServer(selfSigned(), (_request, response) => response.end('{}'));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
cleanUp(async () => {
  server.close();
  server.closeAllConnections();
});
const { port } = server.address() as AddressInfo;
const url = `https://localhost:${port}`;
const untrusted = /its certificate is not trusted here.* NODE_EXTRA_CA_CERTS/;

test('a client of the service says that a certificate is not trusted, and what to do', async () => {
  const giftwire = new Giftwire({ url, token: 'gw_test_x', workspace: 1, retries: 0 });
  await assert.rejects(giftwire.reasons.list(), { type: 'no_answer', message: untrusted });
});

test('webhooks say that a certificate is not trusted, and what to do', async () => {
  const agent = createGuardedAgent({ networks: { allowsLoopback: true, opened: [] } });
  cleanUp(() => agent.destroy());
  const event = { id: 'evt_1_1', number: 1 } as EventRecord;
  const signing = { secrets: [], clock: () => new Date() };
  const sent = { event, history: 'one' };
  const { problem } = await postEvent(agent, `https://127.0.0.1:${port}/`, sent, signing, new AbortController().signal);
  assert.match(String(problem), untrusted);
});

test('a sign-in with OpenID says that a certificate is not trusted, and what to do', async () => {
  const provider = createOidcProvider({ issuer: url, clientId: 'giftwire', clientSecret: 'secret', name: 'Okta' });
  await assert.rejects(provider.begin(`${url}/back`), { message: untrusted });
});

test('emails say that a certificate is not trusted, and what to do', async () => {
  const mailer = nodemailer.createTransport(`smtps://localhost:${port}`);
  const error = await mailer.verify().then(
    () => assert.fail('it was trusted'),
    (one: Error) => one,
  );
  assert.match(JSON.stringify(mailOutcomeOf(error, false)), untrusted);
});

test('other faults of certificates have their own words, and other errors none', () => {
  const coded = (code: string) => new Error('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
  for (const [code, says] of [
    ['CERT_HAS_EXPIRED', /has expired/],
    ['CERT_NOT_YET_VALID', /not valid yet/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /for another host name/],
    ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  ] as const) {
    assert.match(String(certificateProblem(coded(code))), says, code);
    assert.match(String(problemForClients(code)), says, code);
  }
  assert.deepEqual([certificateProblem(coded('ECONNREFUSED')), problemForClients('ECONNREFUSED')], [null, undefined]);
});
