import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Letterhead, readMailCompany } from '../../src/giving/delivery/compose/message.ts';
import type { DueMail } from '../../src/giving/delivery/send/claim.ts';
import { handOver } from '../../src/giving/delivery/send/hand-over.ts';
import type { Lease } from '../../src/giving/delivery/send/lease.ts';
import type { ResultWriter } from '../../src/giving/delivery/send/result-writer.ts';
import { Rush } from '../../src/giving/delivery/send/rush.ts';
import { type MailTransport, maxConnections, openTransport } from '../../src/giving/delivery/send/transport.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { parseKeys } from '../support/keys.ts';
import { orderGifts } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';

const tokenKey = 'a key that is long enough for a test';
const service = await startService({ tokenKey, mailServer: 'off' });
const { database, workspaceId } = service;
const letterhead: Letterhead = {
  keys: parseKeys(tokenKey),
  from: 'gifts@acme.example',
  bounces: null,
  publicUrl: 'https://gifts.acme.example',
};
const company = await readMailCompany(database, workspaceId);

async function connectTo(mailServer: string): Promise<MailTransport> {
  const transport = await openTransport({ mailServer, mailFrom: letterhead.from, dkim: null });
  assert.ok(transport);
  cleanUp(async () => transport.close({ force: true }));
  return transport;
}

/** Mails about new gifts, as a turn reads them. */
async function dueMails(addresses: readonly string[]): Promise<DueMail[]> {
  const due = { kind: 'GIFT', edition: 0, nth: 0, attempts: 0, giftSentAt: null, isQuiet: false } as const;
  const gifts = await orderGifts(service, addresses);
  return gifts.map((gift) => ({
    ...due,
    gift,
    address: gift.email,
    decision: null,
    codeEndsAt: null,
    dueAt: new Date(),
    readAt: new Date(),
  }));
}

/** A turn of a workspace, without the database. */
function turnOver(transport: MailTransport, mails: readonly DueMail[], isSafe = () => true) {
  const sending = { letterhead, transport, rush: new Rush(), signal: new AbortController().signal, onProblem: fail };
  const lease = { isSafe } as Lease;
  const writer = { add: () => {} } as unknown as ResultWriter;
  return handOver(sending, { lease, company, writer }, mails);
}

function fail(error: unknown): void {
  throw error;
}

test('a mail that takes too long is given up alone, and the wait for its connection does not count', async () => {
  const over = Promise.withResolvers<undefined>();
  const never = new Promise<undefined>(() => {});
  const answers = new Map([
    ['stalled', never],
    ['slow', over.promise],
  ]);
  const server = await startMailServer({ onMail: ({ to }) => answers.get(to.split('@')[0] as string) });
  const transport = await connectTo(server.url);
  const limitMs = 2_000;
  const send = (name: string, ms?: number) =>
    transport.use((connection) =>
      connection.send({ from: letterhead.from, to: `${name}@acme.example`, subject: 'Hi', text: 'Hi' }, ms),
    );
  const stalled = send('stalled', limitMs);
  const slow = Array.from({ length: maxConnections - 1 }, () => send('slow'));
  const next = send('next', limitMs);
  const outcome = await stalled;
  assert.ok(outcome.is === 'later');
  assert.match(outcome.answer, /the mail server took too long/);
  assert.equal((await next).is, 'sent');
  over.resolve(undefined);
  for (const { is } of await Promise.all(slow)) assert.equal(is, 'sent');
  assert.equal(server.mails.length, maxConnections + 1);
});

test('a turn that waits for a connection gets the next one, however many mails another turn has', async () => {
  const over = Promise.withResolvers<undefined>();
  const server = await startMailServer({ onMail: () => over.promise });
  const transport = await connectTo(server.url);
  const flood = await dueMails(Array.from({ length: 40 }, (_, nth) => `flood${nth}@acme.example`));
  const neighbours = await dueMails(['neighbour@acme.example']);
  const flooding = turnOver(transport, flood);
  await eventually(
    async () => server.mails.length,
    (count) => count === maxConnections,
  );
  const waiting = turnOver(transport, neighbours);
  over.resolve(undefined);
  assert.deepEqual(await waiting, { handed: 1, unreachable: null });
  const before = server.mails.findIndex(({ to }) => to === 'neighbour@acme.example');
  const { handed } = await flooding;
  assert.ok(before < handed, 'the neighbour’s mail came before the end of the flood');
});

test('a mail that has waited for a connection is not sent when its turn is over', async () => {
  const server = await startMailServer();
  const transport = await connectTo(server.url);
  const over = Promise.withResolvers<void>();
  const others = Array.from({ length: maxConnections }, () => transport.use(() => over.promise));
  let isSafe = true;
  const late = turnOver(transport, await dueMails(['late@acme.example']), () => isSafe);
  isSafe = false;
  over.resolve();
  await Promise.all(others);
  assert.deepEqual(await late, { handed: 0, unreachable: null });
  assert.deepEqual(server.mails, []);
});

test('a signature covers both headers with which mailboxes offer to unsubscribe', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-dkim-'));
  cleanUp(() => rm(folder, { recursive: true }));
  const keyFile = join(folder, 'key.pem');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const server = await startMailServer();
  const dkim = { selector: 'gifts', keyFile };
  const transport = await openTransport({ mailServer: server.url, mailFrom: letterhead.from, dkim });
  cleanUp(async () => transport?.close({ force: true }));
  const mails = await dueMails(['signed@example.com']);
  await turnOver(transport as MailTransport, mails);
  const [mail] = server.to('signed@example.com');
  const [, signed = ''] = /\bh=([^;]+);/.exec(mail?.raw.toString().replace(/\r\n\s+/g, '') ?? '') ?? [];
  for (const name of ['from', 'subject', 'list-unsubscribe', 'list-unsubscribe-post'])
    assert.ok(signed.split(':').includes(name), `${name} in ${signed}`);
});
