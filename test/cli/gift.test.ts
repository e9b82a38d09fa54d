import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { GiftDetails, GiftPage } from '../../src/ground/contract/gift.ts';
import type { OrderRecord } from '../../src/ground/contract/order.ts';
import { cleanUp } from '../support/cleanup.ts';
import { assertFailed, type Json, runJson } from '../support/commands.ts';
import type { Env } from '../support/commands-in-turn.ts';
import { openGifts } from '../support/gifts.ts';
import { giftwire } from '../support/process.ts';

// The commands read the key from the settings, as the service does.
const tokenKey = 'k'.repeat(32);
const { service, workspace, issue, gift, list, setExpiry } = await openGifts(tokenKey);
const env: Env = { DATABASE_URL: service.database.url, GIFTWIRE_TOKEN_KEY: tokenKey };
const at = ['--workspace', String(workspace.id)];
const run = <T = GiftDetails>(...args: string[]) => runJson<T>(['gift', ...args, ...at], env);
const show = (...args: string[]) => giftwire(['gift', ...args, ...at], env);
const folder = await mkdtemp(join(tmpdir(), 'giftwire-print-'));
cleanUp(() => rm(folder, { recursive: true }));

test('gifts are listed and shown as the API does', async () => {
  const ids = await issue({ email: 'ada@example.com', firstName: 'Ada' }, { employeeNumber: '7' });
  const [page, found, listed, shown] = await Promise.all([
    run<GiftPage>('list', '--limit', '1'),
    run('show', String(ids[0])),
    show('list', '--state', 'issued'),
    show('show', String(ids[0])),
  ]);
  assert.deepEqual(page, await list('?size=1'));
  assert.deepEqual(found, await gift(ids[0] as number));
  assert.match(listed.stdout, new RegExp(`^${ids[1]} +\\d{4}-.* number 7 +25 CAD +ISSUED +NONE$`, 'm'));
  assert.match(shown.stdout, /recipient +Ada, member \d+\n/);
  assert.match(shown.stdout, /UTC +ISSUED$/m);
  assert.doesNotMatch(shown.stdout, /token/i);
});

test('a gift is sent again, corrected, extended and cancelled', async () => {
  const [first, second, third] = (await issue(
    { email: 'first@example.com' },
    { email: 'second@example.com' },
    { email: 'third@example.com' },
  )) as [number, number, number];
  await setExpiry(third, new Date(0));
  const [sent, corrected, extended, cancelled] = await Promise.all([
    show('resend', String(first)),
    run('correct', String(second), 'new@example.com'),
    run('extend', String(third), 'never'),
    show('cancel', String(third)),
  ]);
  assert.equal(sent.stdout, `Gift ${first} is emailed to first@example.com soon.\n`);
  assert.deepEqual([corrected.edition, corrected.address, corrected.delivery], [1, 'new@example.com', 'QUEUED']);
  assert.ok(extended.expiresAt === null || extended.state === 'CANCELLED');
  assert.equal(cancelled.stdout, `Gift ${third} is cancelled.\n`);
  assertFailed(
    await show('extend', String(third), '2031-01-01'),
    /cannot be extended: it was cancelled: order a new one/,
  );
});

test('gifts are printed to a file', async () => {
  const ids = await issue({ email: 'one@example.com' }, { email: 'two@example.com' });
  const { requestId } = await gift(ids[0] as number);
  const [all, some] = [join(folder, 'all.html'), join(folder, 'some.html')];
  await Promise.all([
    run('print', all, '--order', requestId, '--per-page', '8'),
    run('print', some, '--ids', String(ids[1])),
  ]);
  const { certificates } = await workspace.read<OrderRecord>(`/api/v1/orders/${requestId}`);
  const has = async (file: string) => {
    const page = await readFile(file, 'utf8');
    return certificates.map(({ shortToken }) => page.includes(shortToken));
  };
  assert.deepEqual(
    [await has(all), await has(some)],
    [
      [true, true],
      [false, true],
    ],
  );
});

test('what is wrong is said in one line', async () => {
  const misused: [string[], RegExp][] = [
    [['list', '--state', 'LOST'], /It must be one of ISSUED, CLAIMED/],
    [['list', '--from', 'yesterday'], /It must be a date, for example 2026-12-24/],
    [['correct', '1', 'nobody'], /It must be an e-mail address/],
    [['extend', '1', 'soon'], /It must be a date, for example 2027-03-31, or "never"/],
    [['print', join(folder, 'x.html')], /either --order.*or --ids/],
  ];
  const outcomes = await Promise.all(misused.map(([args]) => show(...args)));
  for (const [nth, [, says]] of misused.entries()) {
    assert.match(outcomes[nth]?.stderr ?? '', says);
    assert.equal(outcomes[nth]?.code, 2);
  }
  const [unknown, nowhere, off] = await Promise.all([
    show('show', '999999999'),
    giftwire(['gift', 'list', '--workspace', '999999'], env),
    giftwire(['gift', 'resend', String((await issue({ email: 'a@example.com' }))[0]), ...at], {
      ...env,
      GIFTWIRE_SMTP_URL: 'off',
    }),
  ]);
  assertFailed(unknown, /There is no gift with this id/);
  assertFailed(nowhere, /There is no workspace 999999/);
  assertFailed(off, /mail is switched off in this installation/);
});

test("a workspace's gift settings are set, shown, listed and removed", async () => {
  const logo = join(folder, 'logo.png');
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await writeFile(logo, Buffer.from(pixel, 'base64'));
  const update = (...args: string[]) => runJson<Json>(['workspace', 'update', String(workspace.id), ...args], env);
  const { gifts } = await update(
    ...['--time-zone', 'America/Toronto', '--mail', 'off', '--gift-days', '365', '--reminders', '2,5'],
    ...['--reminder-before-expiry', 'none', '--code-above', '99.5', '--brand-name', 'Northwind'],
    ...['--tax-limits', '500CAD, 12.5 kwd'],
    ...['--recipient-caps', '750CAD'],
    ...['--colour', '#8c2459', '--logo', logo, '--reply-to', 'people@example.com', '--sentence', 'Show it.'],
  );
  assert.deepEqual(gifts, {
    name: 'Northwind',
    language: 'EN_CA',
    timeZone: 'America/Toronto',
    mailsGifts: false,
    giftDays: 365,
    reminderDays: [2, 5],
    reminderDaysBeforeExpiry: null,
    codeAbove: 99.5,
    recipientCaps: [{ currency: 'CAD', amount: 750 }],
    taxLimits: [
      { currency: 'CAD', amount: 500 },
      { currency: 'KWD', amount: 12.5 },
    ],
    colour: '#8C2459',
    hasLogo: true,
    replyTo: 'people@example.com',
    sentence: 'Show it.',
  });
  const listed = await runJson<Json[]>(['workspace', 'list'], env);
  assert.deepEqual(listed.find(({ id }) => id === workspace.id)?.gifts, gifts);
  const removed = await update('--gift-days', 'none', '--reminders', 'none', '--logo', 'none', '--brand-name', 'none');
  assert.partialDeepStrictEqual(removed.gifts, { giftDays: null, reminderDays: [], hasLogo: false, name: 'Acme' });
  const wrong = await giftwire(
    ['workspace', 'update', String(workspace.id), '--time-zone', 'Mars/Base', '--gift-days', 'many', '--name', 'Other'],
    env,
  );
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /--time-zone must be a time zone.*; --gift-days must be a whole number of days/);
  const [unchanged] = (await runJson<Json[]>(['workspace', 'list'], env)).filter(({ id }) => id === workspace.id);
  assert.equal(unchanged?.name, 'Acme');
});
