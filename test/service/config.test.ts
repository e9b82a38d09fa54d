import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { readClientConfig, readConfig, settings } from '../../src/ground/config/config.ts';
import { dataFolder } from '../../src/ground/config/sources.ts';
import { Failure } from '../../src/ground/errors.ts';
import { minorDigits } from '../../src/ground/values/money.ts';
import { parseNetwork } from '../../src/ground/values/network.ts';
import fc from '../support/fast-check.ts';
import { projectDir } from '../support/process.ts';

const key = 'k'.repeat(32);

/** The settings at fault, each line of the message being one. */
function faults(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof Failure, String(error));
    const [head, ...lines] = error.message.split('\n');
    assert.equal(head, 'Invalid settings:');
    return [...new Set(lines.map((line) => line.trim().split(' ')[0] as string))];
  }
  return [];
}

test('without any setting the service is a test service on port 8080 of this machine alone', () => {
  const { currencies, ...config } = readConfig({});
  assert.deepEqual(config, {
    host: '127.0.0.1',
    port: 8080,
    databaseUrl: null,
    dataDir: join(projectDir, '.giftwire'),
    traces: null,
    environment: 'test',
    role: 'all',
    processes: 1,
    drainSeconds: 0,
    reportsDatabaseUrl: null,
    reportsLagMs: 500,
    demo: true,
    tokenKeys: null,
    eventDays: 90,
    webhookNetworks: [],
    publicUrl: null,
    mailServer: 'outbox',
    mailFrom: null,
    mailBounces: null,
    mailPerMinute: 0,
    dkim: null,
    sessionHours: 168,
    oidc: null,
    trustedProxies: [],
    backupFolder: null,
    backupKey: null,
    backupHour: 2,
    backupKeep: 14,
    corsOrigins: [],
    logLevel: 'info',
  });
  assert.ok(currencies.includes('CAD') && currencies.includes('JPY') && !currencies.includes('DEM'));
});

test('every setting is taken', () => {
  const config = readConfig({
    PORT: '0',
    HOST: '::1',
    DATABASE_URL: 'postgres://giftwire:secret@db.example.com:5433/gifts?sslmode=require',
    GIFTWIRE_DATA_DIR: 'some folder',
    GIFTWIRE_ENV: 'production',
    GIFTWIRE_ROLE: 'worker',
    GIFTWIRE_PROCESSES: '4',
    GIFTWIRE_DRAIN_SECONDS: '30',
    GIFTWIRE_REPORTS_DATABASE_URL: 'postgres://giftwire@replica.example.com/gifts',
    GIFTWIRE_REPORTS_LAG_MS: '2000',
    GIFTWIRE_BACKUP_FOLDER: 'backups',
    GIFTWIRE_BACKUP_HOUR: '23',
    GIFTWIRE_BACKUP_KEEP: '30',
    GIFTWIRE_BACKUP_KEY: Buffer.alloc(32, 7).toString('base64url'),
    GIFTWIRE_DEMO: '0',
    GIFTWIRE_TOKEN_KEY: key,
    GIFTWIRE_CURRENCIES: 'CAD, USD',
    GIFTWIRE_EVENT_DAYS: '30',
    GIFTWIRE_WEBHOOK_NETWORKS: '10.0.0.0/8, fd12:3456::/32',
    GIFTWIRE_PUBLIC_URL: 'https://gifts.example.com/thanks/',
    GIFTWIRE_SMTP_URL: 'smtps://user:password@smtp.example.com',
    GIFTWIRE_MAIL_FROM: 'gifts@example.com',
    GIFTWIRE_MAIL_BOUNCES: 'bounces@example.com',
    GIFTWIRE_MAIL_PER_MINUTE: '600',
    GIFTWIRE_DKIM: 'gifts:/etc/giftwire/dkim.pem',
    GIFTWIRE_SESSION_HOURS: '12',
    GIFTWIRE_OIDC_ISSUER: 'https://login.example.com/',
    GIFTWIRE_OIDC_CLIENT_ID: 'giftwire',
    GIFTWIRE_OIDC_CLIENT_SECRET: 'hunter2',
    GIFTWIRE_OIDC_NAME: 'Okta',
    GIFTWIRE_TRUSTED_PROXIES: '192.0.2.0/24',
    GIFTWIRE_CORS_ORIGINS: 'https://intranet.example.com, http://localhost:5173',
    LOG_LEVEL: 'silent',
  });
  assert.deepEqual(config, {
    port: 0,
    host: '::1',
    databaseUrl: 'postgres://giftwire:secret@db.example.com:5433/gifts?sslmode=require',
    dataDir: resolve('some folder'),
    traces: null,
    environment: 'production',
    role: 'worker',
    processes: 4,
    drainSeconds: 30,
    reportsDatabaseUrl: 'postgres://giftwire@replica.example.com/gifts',
    reportsLagMs: 2_000,
    backupFolder: resolve('backups'),
    backupKey: Buffer.alloc(32, 7),
    backupHour: 23,
    backupKeep: 30,
    demo: false,
    tokenKeys: [{ version: 1, secret: key }],
    currencies: ['CAD', 'USD'],
    eventDays: 30,
    webhookNetworks: ['10.0.0.0/8', 'fd12:3456::/32'].map(parseNetwork),
    publicUrl: 'https://gifts.example.com/thanks',
    mailServer: 'smtps://user:password@smtp.example.com',
    mailFrom: 'gifts@example.com',
    mailBounces: 'bounces@example.com',
    mailPerMinute: 600,
    dkim: { selector: 'gifts', keyFile: '/etc/giftwire/dkim.pem' },
    sessionHours: 12,
    oidc: { issuer: 'https://login.example.com', clientId: 'giftwire', clientSecret: 'hunter2', name: 'Okta' },
    trustedProxies: [parseNetwork('192.0.2.0/24')],
    corsOrigins: ['https://intranet.example.com', 'http://localhost:5173'],
    logLevel: 'silent',
  });
  assert.ok(Object.isFrozen(config));
});

test('a blank setting counts as absent, and spaces around one do not matter', () => {
  const blank = Object.fromEntries(settings.map(({ name }) => [name, ' ']));
  assert.deepEqual(readConfig(blank), readConfig({}));
  assert.equal(readConfig({ PORT: ' 81 ' }).port, 81);
});

test('localhost is one address, also on machines where the name has two', () => {
  assert.equal(readConfig({ HOST: 'localhost' }).host, '127.0.0.1');
  assert.equal(readConfig({ HOST: '::1' }).host, '::1');
});

test('all invalid settings are reported at once, without secrets', () => {
  const env = {
    PORT: 'http',
    DATABASE_URL: 'mysql://root:hunter2@localhost/gifts',
    GIFTWIRE_ENV: 'staging',
    GIFTWIRE_ROLE: 'boss',
    GIFTWIRE_PROCESSES: 'all',
    GIFTWIRE_DEMO: 'yes',
    GIFTWIRE_TOKEN_KEY: 'hunter2',
    GIFTWIRE_CURRENCIES: 'CAD,DEM',
    GIFTWIRE_EVENT_DAYS: '0',
    GIFTWIRE_WEBHOOK_NETWORKS: '10.0.0.0/8,10.0.0.0/99',
    LOG_LEVEL: 'loud',
  };
  assert.deepEqual(faults(env).sort(), Object.keys(env).sort());
  assert.throws(
    () => readConfig(env),
    ({ message }: Error) => !message.includes('hunter2'),
  );
});

test('production needs a token key and never has the demo', () => {
  assert.deepEqual(faults({ GIFTWIRE_ENV: 'production' }), ['GIFTWIRE_TOKEN_KEY']);
  assert.equal(readConfig({ GIFTWIRE_ENV: 'production', GIFTWIRE_TOKEN_KEY: key, GIFTWIRE_DEMO: '1' }).demo, false);
});

test('a port is a plain number from 0 to 65535', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 65_535 }), (port) => readConfig({ PORT: String(port) }).port === port),
  );
  const others = fc
    .oneof(
      fc.string(),
      fc.integer({ max: -1 }).map(String),
      fc.integer({ min: 65_536 }).map(String),
      fc.double().map(String),
      fc.constantFrom('0x50', '8080.0', '1e3', '+80', '８０', '80 81', '/run/giftwire.sock'),
    )
    .filter((text) => text.trim() !== '' && !/^\d{1,5}$/.test(text.trim()));
  fc.assert(fc.property(others, (PORT) => faults({ PORT }).includes('PORT')));
});

test('a choice is one of its values, in lower case', () => {
  const choices = {
    GIFTWIRE_ENV: ['test'],
    GIFTWIRE_ROLE: ['all', 'api', 'worker'],
    GIFTWIRE_DEMO: ['0', '1'],
    GIFTWIRE_PROCESSES: Array.from({ length: 16 }, (_, index) => String(index + 1)),
    LOG_LEVEL: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  };
  for (const [name, values] of Object.entries(choices)) {
    for (const value of values) assert.deepEqual(faults({ [name]: value }), [], `${name}=${value}`);
    const known = [...values, 'production'];
    const others = fc.string().filter((text) => text.trim() !== '' && !known.includes(text.trim()));
    fc.assert(fc.property(others, (value) => faults({ [name]: value }).includes(name)));
  }
  for (const value of ['Test', 'constructor', 'test,production']) assert.ok(faults({ GIFTWIRE_ENV: value }).length > 0);
});

test('a mail server needs a sender, and in production an address for the links', () => {
  const server = { GIFTWIRE_SMTP_URL: 'smtp://127.0.0.1:25' };
  const production = { ...server, GIFTWIRE_ENV: 'production', GIFTWIRE_TOKEN_KEY: key };
  assert.deepEqual(faults(server), ['GIFTWIRE_MAIL_FROM']);
  assert.deepEqual(faults(production), ['GIFTWIRE_MAIL_FROM', 'GIFTWIRE_PUBLIC_URL']);
  assert.deepEqual(faults({ ...server, GIFTWIRE_MAIL_FROM: 'nobody' }), ['GIFTWIRE_MAIL_FROM']);
  assert.deepEqual(faults({ ...server, GIFTWIRE_MAIL_FROM: 'gifts@example.com' }), []);
  for (const mailServer of ['off', 'outbox']) assert.deepEqual(faults({ GIFTWIRE_SMTP_URL: mailServer }), []);
  for (const other of ['smtp.example.com', 'http://smtp.example.com', 'smtp://', 'on'])
    assert.deepEqual(faults({ GIFTWIRE_SMTP_URL: other }), ['GIFTWIRE_SMTP_URL'], other);
  assert.equal(readConfig({ GIFTWIRE_ENV: 'production', GIFTWIRE_TOKEN_KEY: key }).mailServer, 'off');
});

test('the URLs of the service and of the OpenID provider have no user name and no password', () => {
  for (const url of [
    'https://user@gifts.example.com',
    'https://user:hunter2@gifts.example.com',
    'https://:hunter2@x.ca',
  ])
    for (const name of ['GIFTWIRE_PUBLIC_URL', 'GIFTWIRE_OIDC_ISSUER'])
      assert.ok(faults({ [name]: url }).includes(name));
});

test('a database address is one that the driver understands', () => {
  for (const DATABASE_URL of [
    'postgres://localhost/gifts',
    'postgresql://giftwire@[::1]:5432/gifts',
    'postgres:///gifts?host=%2Ftmp%2Fa%20socket',
    'postgres://giftwire@localhost/gifts?host=%2Ftmp',
    'postgres://giftwire:100%@localhost/gifts',
  ])
    assert.deepEqual(faults({ DATABASE_URL }), [], DATABASE_URL);
  for (const DATABASE_URL of [
    'localhost:5432',
    'host=localhost dbname=gifts',
    'http://localhost/gifts',
    'postgres:/localhost/gifts',
    'postgres://[bad/gifts',
    'postgres://localhost:port/gifts',
    'postgres://giftwire:p#ss@localhost/gifts',
  ])
    assert.deepEqual(faults({ DATABASE_URL }), ['DATABASE_URL'], DATABASE_URL);
});

test('a token key has 32 characters or more, with a version of its own where there are several', () => {
  for (const GIFTWIRE_TOKEN_KEY of [key, `1:${key}`, `2:${key}x,1:${key}`, ` 2:${key}x, ${key} `, `65535:${key}`])
    assert.deepEqual(faults({ GIFTWIRE_TOKEN_KEY }), [], GIFTWIRE_TOKEN_KEY);
  const short = fc.string({ minLength: 1, maxLength: 31 }).filter((text) => text.trim() !== '');
  fc.assert(fc.property(short, (text) => faults({ GIFTWIRE_TOKEN_KEY: text }).includes('GIFTWIRE_TOKEN_KEY')));
  for (const GIFTWIRE_TOKEN_KEY of [
    `2:short,1:${key}`,
    `${key},`,
    `0:${key}`,
    `65536:${key}`,
    `99999999999:${key}`,
    `1:${key},1:${key}x`,
    `${key},${key}x`,
  ])
    assert.deepEqual(faults({ GIFTWIRE_TOKEN_KEY }), ['GIFTWIRE_TOKEN_KEY'], GIFTWIRE_TOKEN_KEY);
});

test('currencies are narrowed to codes that exist', () => {
  assert.deepEqual(readConfig({ GIFTWIRE_CURRENCIES: 'CAD' }).currencies, ['CAD']);
  for (const GIFTWIRE_CURRENCIES of ['cad', 'CAD USD', 'CAD;USD', 'DEM', 'HRK', 'XXX', 'CAD,,USD', 'CA$'])
    assert.deepEqual(faults({ GIFTWIRE_CURRENCIES }), ['GIFTWIRE_CURRENCIES'], GIFTWIRE_CURRENCIES);
});

test('the currencies are those of Intl, without ended ones and non-money, with as many digits or more', () => {
  const { currencies } = readConfig({});
  const endedOrNoMoney = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'XDR', 'XSU', 'ZWL'];
  const known = Intl.supportedValuesOf('currency').filter((code) => !endedOrNoMoney.includes(code));
  const digitsInIntl = (currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;
  for (const code of known) assert.ok((minorDigits(code) ?? -1) >= digitsInIntl(code), code);
  // Intl lists none of ISO's funds, and not the bolívar that Venezuela has for large sums.
  const funds = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'XAD'];
  assert.deepEqual(currencies, [...new Set([...known, ...funds, 'VED'])].sort());
});

test('the client of "giftwire send" goes to this machine unless told otherwise', () => {
  assert.deepEqual(readClientConfig({}), { url: 'http://127.0.0.1:8080', token: null, workspace: '1' });
  assert.equal(readClientConfig({ PORT: '9000' }).url, 'http://127.0.0.1:9000');
  assert.deepEqual(
    readClientConfig({
      GIFTWIRE_URL: 'https://gifts.example.com/',
      GIFTWIRE_TOKEN: ' gw_test_x ',
      GIFTWIRE_WORKSPACE: '7',
    }),
    { url: 'https://gifts.example.com', token: 'gw_test_x', workspace: '7' },
  );
});

test('every setting that is read is listed, once', () => {
  const read: string[] = [];
  const env = new Proxy({}, { get: (_, name) => void read.push(String(name)) });
  readConfig(env);
  readClientConfig(env);
  // The settings of OpenTelemetry have their own document.
  const own = read.filter((name) => !name.startsWith('OTEL_'));
  const listed = settings.map(({ name }) => name);
  const withFiles = listed.flatMap((name) => [name, `${name}_FILE`]);
  assert.deepEqual([...new Set(own)].sort(), withFiles.sort());
  assert.equal(new Set(listed).size, listed.length);
});

test('a default that is a value is what the service runs with', () => {
  const env = Object.fromEntries(settings.map(({ name, default: value }) => [name, / /.test(value) ? '' : value]));
  assert.deepEqual(readConfig(env), readConfig({}));
  assert.deepEqual(readClientConfig(env), readClientConfig({}));
});

test('a setting can be in a file, and is refused when it is given twice or cannot be read', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'giftwire-settings-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'database-url');
  writeFileSync(file, 'postgres://giftwire:secret@db.example.com/gifts\n');
  assert.equal(readConfig({ DATABASE_URL_FILE: file }).databaseUrl, 'postgres://giftwire:secret@db.example.com/gifts');
  assert.deepEqual(faults({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://localhost/gifts' }), ['DATABASE_URL']);
  assert.deepEqual(faults({ DATABASE_URL_FILE: join(folder, 'absent') }), ['DATABASE_URL_FILE']);
  assert.equal(readConfig({ DATABASE_URL_FILE: '', DATABASE_URL: '' }).databaseUrl, null);
  writeFileSync(file, 'too short');
  assert.deepEqual(faults({ GIFTWIRE_TOKEN_KEY_FILE: file, GIFTWIRE_ENV: 'production' }), ['GIFTWIRE_TOKEN_KEY']);
  writeFileSync(file, '\n');
  assert.deepEqual(faults({ GIFTWIRE_TOKEN_KEY_FILE: file, GIFTWIRE_ENV: 'production' }), ['GIFTWIRE_TOKEN_KEY']);
});

test('an installed package keeps its data in the folder for data of its user, a clone in its own', () => {
  assert.equal(dataFolder({}, false), join(homedir(), '.local/share/giftwire'));
  assert.equal(dataFolder({ XDG_DATA_HOME: '/srv/data' }, false), '/srv/data/giftwire');
  assert.equal(dataFolder({ XDG_DATA_HOME: 'relative' }, false), join(homedir(), '.local/share/giftwire'));
  assert.equal(dataFolder({ XDG_DATA_HOME: '/srv/data' }), join(projectDir, '.giftwire'));
});

test('docs/settings.md has the table of the settings', () => {
  const rows = settings.map(
    ({ name, default: value, meaning }) => `| \`${name}\` | ${value || '–'} | ${meaning.replaceAll('|', '\\|')} |`,
  );
  const table = ['| Setting | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
  const page = readFileSync(join(projectDir, 'docs/settings.md'), 'utf8');
  const shown = /^\| Setting \|.*/ms.exec(page)?.[0];
  assert.equal(shown, table, `The table in docs/settings.md is stale. This is the right one:\n\n${table}`);
});
