import { resolve } from 'node:path';
import { Failure, type Fault } from '../errors.ts';
import { currencies } from '../values/money.ts';
import { drainSecondsOf, operationSettings } from './operation.ts';
import { missingForOidc, oidcOf, signInSettings } from './sign-in.ts';
import { dataFolder, type Env, textOf } from './sources.ts';
import {
  type Declared,
  type MailServer,
  oneOfTexts,
  parseAddress,
  parseCurrencies,
  parseDatabaseUrl,
  parseDkim,
  parseMailServer,
  parseNetworks,
  parseOrigins,
  parsePublicUrl,
  parseTokenKeys,
  type Setting,
  setting,
  wholeNumber,
} from './texts.ts';
import { readTraceSettings, type TraceSettings } from './traces.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The settings of the service and of commands that use its database. */
const serviceSettings = {
  port: setting({
    name: 'PORT',
    default: '8080',
    meaning: 'Port to listen on; 0 takes any free one',
    parse: wholeNumber(0, 65_535),
  }),
  host: setting({
    name: 'HOST',
    default: '127.0.0.1',
    meaning: 'Address to listen on; localhost is 127.0.0.1, 0.0.0.0 is every interface',
    // Where localhost is two addresses, Fastify would listen on the second without our limits on connections.
    parse: (text) => (text === 'localhost' ? '127.0.0.1' : text),
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    default: '',
    meaning:
      'A PostgreSQL ≥ 15, or several servers of which one takes writes (docs/operate.md); without it an embedded one is started',
    parse: parseDatabaseUrl,
    absent: null,
  }),
  dataDir: setting({
    name: 'GIFTWIRE_DATA_DIR',
    default: '.giftwire in a clone; the XDG data folder when installed',
    meaning: 'Where the embedded database and the token key live',
    parse: (text) => resolve(text),
    absent: null,
  }),
  environment: setting({
    name: 'GIFTWIRE_ENV',
    default: 'test',
    meaning: 'test or production: each has its own database and token prefix',
    parse: oneOfTexts(['test', 'production']),
  }),
  role: setting({
    name: 'GIFTWIRE_ROLE',
    default: 'all',
    meaning: 'all, api (serves requests) or worker (fulfils orders)',
    parse: oneOfTexts(['all', 'api', 'worker']),
  }),
  ...operationSettings,
  demo: setting({
    name: 'GIFTWIRE_DEMO',
    default: '1',
    meaning: '0 leaves the demo workspace out; production never has it',
    parse: (text, name) => oneOfTexts(['1', '0'])(text, name) === '1',
  }),
  tokenKeys: setting({
    name: 'GIFTWIRE_TOKEN_KEY',
    default: 'made and kept in the data folder',
    meaning:
      'The secret that gift tokens and the keys of code pools derive from, 32 characters or more; to rotate "2:new,1:old". Required in production',
    parse: parseTokenKeys,
    absent: null,
  }),
  currencies: setting({
    name: 'GIFTWIRE_CURRENCIES',
    default: 'every current ISO 4217 code',
    meaning: 'The currencies to accept, for example CAD,USD',
    parse: parseCurrencies,
    absent: currencies,
  }),
  eventDays: setting({
    name: 'GIFTWIRE_EVENT_DAYS',
    default: '90',
    meaning: 'How many days events are kept, 1 to 3650',
    parse: wholeNumber(1, 3_650),
  }),
  webhookNetworks: setting({
    name: 'GIFTWIRE_WEBHOOK_NETWORKS',
    default: '',
    meaning:
      'Private networks that webhooks can reach, for example 10.0.0.0/8,fd12:3456::/32. They always reach public IP addresses, and loopback IP addresses (127.0.0.1, ::1) in the test environment only',
    parse: parseNetworks,
    absent: [],
  }),
  publicUrl: setting({
    name: 'GIFTWIRE_PUBLIC_URL',
    default: "the service's own address",
    meaning:
      'The URL of the service for recipients and users: gift links start with it. Required for email in production',
    parse: parsePublicUrl,
    absent: null,
  }),
  mailServer: setting({
    name: 'GIFTWIRE_SMTP_URL',
    default: 'outbox; off in production',
    meaning:
      'The mail server, for example smtps://user:pw@mail.example; outbox keeps emails for `giftwire outbox`; off sends no email',
    parse: parseMailServer,
    absent: null,
  }),
  mailFrom: setting({
    name: 'GIFTWIRE_MAIL_FROM',
    default: '',
    meaning: 'The sender of emails, for example gifts@example.com. Required with a mail server',
    parse: parseAddress,
    absent: null,
  }),
  mailBounces: setting({
    name: 'GIFTWIRE_MAIL_BOUNCES',
    default: 'the sender of emails',
    meaning:
      'The return address for undelivered emails, for example bounces@example.com; it must accept addresses such as bounces+text@example.com',
    parse: parseAddress,
    absent: null,
  }),
  mailPerMinute: setting({
    name: 'GIFTWIRE_MAIL_PER_MINUTE',
    default: '0',
    meaning: 'Maximum number of emails per minute for all nodes together, up to 1000000; 0 sets no limit',
    parse: wholeNumber(0, 1_000_000),
  }),
  dkim: setting({
    name: 'GIFTWIRE_DKIM',
    default: '',
    meaning:
      'Signs emails: the DKIM selector, a colon and the file of the private key, for example gifts:/etc/giftwire/dkim.pem',
    parse: parseDkim,
    absent: null,
  }),
  ...signInSettings,
  trustedProxies: setting({
    name: 'GIFTWIRE_TRUSTED_PROXIES',
    default: '',
    meaning:
      'Networks of proxies in front of the service, for example 10.0.0.0/8: their X-Forwarded-For names the visitor',
    parse: parseNetworks,
    absent: [],
  }),
  corsOrigins: setting({
    name: 'GIFTWIRE_CORS_ORIGINS',
    default: '',
    meaning:
      'Origins whose pages may call the API from a browser with a token, for example https://intranet.example.com; the console needs none',
    parse: parseOrigins,
    absent: [],
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: `${logLevels.slice(0, -1).join(', ')} or ${logLevels.at(-1)}`,
    parse: oneOfTexts(logLevels),
  }),
};

/** The settings of `giftwire send`, which calls a service over HTTP. */
export const clientSettings = {
  url: setting({
    name: 'GIFTWIRE_URL',
    default: 'http://127.0.0.1 and PORT',
    meaning: 'For `giftwire send` and `listen`: the service to call',
    parse: (text) => text.replace(/\/+$/, ''),
    absent: null,
  }),
  token: setting({
    name: 'GIFTWIRE_TOKEN',
    default: '',
    meaning: 'For `giftwire send` and `listen`: the API token',
    parse: (text) => text,
    absent: null,
  }),
  workspace: setting({
    name: 'GIFTWIRE_WORKSPACE',
    default: '1',
    meaning: 'For `giftwire send` and `listen`: the workspace id',
    parse: (text) => text,
  }),
};

/** Every setting, for `giftwire env` and docs/settings.md. */
export const settings: readonly Setting[] = [...Object.values(serviceSettings), ...Object.values(clientSettings)].map(
  ({ name, default: shown, meaning }) => ({ name, default: shown, meaning }),
);

export type Config = Omit<Values<typeof serviceSettings>, 'mailServer' | 'dataDir' | 'drainSeconds' | OidcSetting> & {
  readonly oidc: ReturnType<typeof oidcOf>;
  readonly mailServer: MailServer;
  readonly dataDir: string;
  readonly drainSeconds: number;
  readonly traces: TraceSettings | null;
};
type OidcSetting = Exclude<keyof typeof signInSettings, 'sessionHours'>;
export type Environment = Config['environment'];
export type ProcessRole = Config['role'];

/** Reads the environment once and reports every fault in it at once. */
export function readConfig(env: Env = process.env): Config {
  const { values, faults } = readSettings(serviceSettings, env);
  const { name } = serviceSettings.tokenKeys;
  // A key that is there and wrong was reported already.
  const needsKey = values.environment === 'production' && values.tokenKeys === null;
  if (needsKey) faults.push({ path: name, problem: 'is required in production: 32 characters or more' });
  const mailServer = values.mailServer ?? (values.environment === 'test' ? 'outbox' : 'off');
  faults.push(...missingForMail({ ...values, mailServer }, faults), ...missingForOidc(values));
  const { traces, faults: ofTraces } = readTraceSettings(env);
  refuse([...faults, ...ofTraces]);
  const dataDir = values.dataDir ?? dataFolder(env);
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcName, ...others } = values;
  const demo = values.demo && values.environment === 'test';
  const drainSeconds = drainSecondsOf(values.drainSeconds, values.environment);
  return Object.freeze({ ...others, oidc: oidcOf(values), mailServer, dataDir, demo, drainSeconds, traces });
}

/** What mail needs beside the server. A setting that is there and wrong was reported already. */
function missingForMail(
  {
    mailServer,
    mailFrom,
    publicUrl,
    environment,
  }: Pick<Config, 'mailServer' | 'mailFrom' | 'publicUrl' | 'environment'>,
  faults: readonly Fault[],
): readonly Fault[] {
  if (mailServer === 'off' || mailServer === 'outbox') return [];
  const needed = [
    { path: serviceSettings.mailFrom.name, isThere: mailFrom !== null, problem: 'is required with GIFTWIRE_SMTP_URL' },
    {
      path: serviceSettings.publicUrl.name,
      isThere: publicUrl !== null || environment === 'test',
      problem: 'is required with GIFTWIRE_SMTP_URL in production: gift links begin with it',
    },
  ];
  return needed.filter(({ path, isThere }) => !isThere && !faults.some((fault) => fault.path === path));
}

export interface ClientConfig {
  url: string;
  token: string | null;
  workspace: string;
}

export function readClientConfig(env: Env = process.env): ClientConfig {
  const { values, faults } = readSettings({ ...clientSettings, port: serviceSettings.port }, env);
  refuse(faults);
  const { url, port, ...others } = values;
  return { url: url ?? baseUrl('127.0.0.1', port), ...others };
}

export function baseUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

type Values<Settings> = Readonly<{ [Key in keyof Settings]: Settings[Key] extends Declared<infer T> ? T : never }>;

/** Without the values of invalid settings. */
function readSettings<S extends Record<string, Declared<unknown>>>(declared: S, env: Env) {
  const faults: Fault[] = [];
  const values = Object.entries(declared).map(([key, one]) => {
    try {
      return [key, readSetting(one, env)];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      faults.push(...error.faults);
      return [key, undefined];
    }
  });
  return { values: Object.fromEntries(values) as Values<S>, faults };
}

function readSetting<T>({ name, default: text, parse, absent }: Declared<T>, env: Env): T {
  const given = textOf(name, env);
  return given === null && absent !== undefined ? absent : parse(given ?? text, name);
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const lines = faults.map(({ path, problem }) => `  ${path} ${problem}`);
  throw new Failure('setup', `Invalid settings:\n${lines.join('\n')}`, { faults });
}
