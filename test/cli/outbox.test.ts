import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { examineMail } from '../../src/doors/cli/doctor-mail.ts';
import { dkimRecord } from '../../src/giving/delivery/domain-records.ts';
import { longToken } from '../../src/giving/gifts/tokens.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { assertFailed, runJson } from '../support/commands.ts';
import { parseKeys } from '../support/keys.ts';
import { mailStates, orderGifts } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';

const tokenKey = 'k'.repeat(32);
const service = await startService({ tokenKey, mailServer: 'outbox' });
const publicUrl = 'http://gifts.example:8080';
const env = { DATABASE_URL: service.database.url, GIFTWIRE_TOKEN_KEY: tokenKey, GIFTWIRE_PUBLIC_URL: publicUrl };
const at = ['--workspace', String(service.workspaceId)];

interface Kept {
  id: string;
  to: string;
  kind: string;
  subject: string;
  text: string;
}

test('a newcomer sees the mail of an order, and with the clock its reminders', async () => {
  const [gift] = await orderGifts(service, ['ada@example.com']);
  assert.ok(gift);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED']);
  const link = `${publicUrl}/g#${longToken(parseKeys(tokenKey), gift)}`;
  const list = await runJson<Kept[]>(['outbox', 'list'], env);
  assert.deepEqual(
    list.map(({ id, to, kind }) => ({ id, to, kind })),
    [{ id: `${gift.id}`, to: 'ada@example.com', kind: 'GIFT' }],
  );
  assert.ok((await runJson<Kept>(['outbox', 'show'], env)).text.includes(link));
  assert.ok((await giftwire(['outbox', 'show', `${gift.id}`], env)).stdout.includes(link));

  const { file } = await runJson<{ file: string }>(['outbox', 'open'], env);
  assert.ok((await readFile(file, 'utf8')).includes(link));
  assert.equal((await stat(file)).mode & 0o777, 0o600);

  const { aheadSeconds } = await runJson<{ aheadSeconds: number }>(['clock', 'advance', '4d', ...at], env);
  assert.equal(aheadSeconds, 4 * 86_400);
  await mailStates(service, gift.id, ['GIFT SENT', 'REMINDER SCHEDULED', 'REMINDER SENT']);
  const reminder = await runJson<Kept>(['outbox', 'show', `${gift.id}-reminder-1`], env);
  assert.equal(reminder.kind, 'REMINDER');
  const [older, ...others] = await runJson<Kept[]>(['outbox', 'list', '--before', `${gift.id}-reminder-1`], env);
  assert.deepEqual([older?.id, others], [`${gift.id}`, []]);
  assert.match((await giftwire(['outbox', 'list', '--limit', '1'], env)).stdout, /add --before \d+-reminder-1/);
  assert.match((await giftwire(['outbox', 'list'], env)).stdout, /ada@example\.com/);
  assert.match((await giftwire(['clock', 'show', ...at], env)).stdout, /4 days ahead/);
  assertFailed(await giftwire(['outbox', 'show', '17-gone'], env), /no email 17-gone/);
});

test('in production there is no outbox, and no clock to move', async () => {
  const production = await startService({ tokenKey, environment: 'production' });
  const elsewhere = { ...env, DATABASE_URL: production.database.url, GIFTWIRE_ENV: 'production' };
  assertFailed(await giftwire(['outbox', 'list'], elsewhere), /test environment only/);
  assertFailed(await giftwire(['clock', 'advance', '1d', ...at], elsewhere), /test environment only/);
});

test('doctor checks the mail server and the records of the domain', async () => {
  const mailServer = await startMailServer();
  const keyFile = join(await mkdtemp(join(tmpdir(), 'giftwire-dkim-')), 'dkim.pem');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  await writeFile(keyFile, pem);
  const config = readConfig({
    ...env,
    GIFTWIRE_ENV: 'production',
    GIFTWIRE_SMTP_URL: mailServer.url,
    GIFTWIRE_MAIL_FROM: 'gifts@mail.acme.example',
    GIFTWIRE_DKIM: `gifts:${keyFile}`,
  });
  const records: Record<string, string[]> = {
    'mail.acme.example': ['something else', 'v=spf1 include:mx.example ~all'],
    '_dmarc.acme.example': ['v=DMARC1; p=none'],
    'gifts._domainkey.mail.acme.example': [dkimRecord(pem)],
  };
  const found = await examineMail(config, async (name) => records[name] ?? []);
  assert.deepEqual(
    found.map(({ check, ok }) => [check, ok]),
    [
      ['mail server', true],
      ['SPF', true],
      ['DKIM', true],
      ['DMARC', true],
      ['public URL', false],
    ],
  );
  await mailServer.close();
  const missing = await examineMail(config, async () => []);
  assert.ok(missing.every(({ ok, advice }) => !ok && advice));
  assert.match(
    missing.find(({ check }) => check === 'SPF')?.advice ?? '',
    /^Publish a TXT record at mail\.acme\.example that names the servers of your mail provider, for example "v=spf1 /,
  );
  const silent = await examineMail(config, () => Promise.reject(new Error('timeout')));
  assert.deepEqual(
    silent.filter(({ isNote }) => isNote).map(({ check }) => check),
    ['SPF', 'DKIM', 'DMARC'],
  );
});
