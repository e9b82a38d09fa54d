import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, type Fault } from './errors.ts';
import { currencies } from './values/money.ts';
import { type Network, parseNetwork } from './values/network.ts';

/** What people are told of a setting. */
export interface Setting {
  name: string;
  /** The default as text: a value, or what happens without one. */
  default: string;
  meaning: string;
}

/** Throws a `Failure` that says what is wrong with the text. The name is the setting's, or where else the text is from. */
type Parser<T> = (text: string, name: string) => T;

interface Declared<T> extends Setting {
  parse: Parser<T>;
  /** The value without the setting, where `default` only describes it. Else `default` is parsed. */
  absent?: T;
}

const projectDir = fileURLToPath(new URL('..', import.meta.url));
const shortestKey = 32;
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
    meaning: 'A PostgreSQL ≥ 15; without it an embedded one is started',
    parse: parseDatabaseUrl,
    absent: null,
  }),
  dataDir: setting({
    name: 'GIFTWIRE_DATA_DIR',
    default: '.giftwire',
    meaning: 'Where the embedded database and the token key live',
    parse: (text) => resolve(text),
    absent: resolve(projectDir, '.giftwire'),
  }),
  environment: setting({
    name: 'GIFTWIRE_ENV',
    default: 'test',
    meaning: 'test or production: each has its own database and token prefix',
    parse: oneOf(['test', 'production']),
  }),
  role: setting({
    name: 'GIFTWIRE_ROLE',
    default: 'all',
    meaning: 'all, api (answers requests) or worker (fulfils orders)',
    parse: oneOf(['all', 'api', 'worker']),
  }),
  processes: setting({
    name: 'GIFTWIRE_PROCESSES',
    default: '1',
    meaning: 'Processes of this node, 1 to 16: as many as it has cores to spare',
    parse: wholeNumber(1, 16),
  }),
  demo: setting({
    name: 'GIFTWIRE_DEMO',
    default: '1',
    meaning: '0 leaves the demo workspace out; production never has it',
    parse: (text, name) => oneOf(['1', '0'])(text, name) === '1',
  }),
  tokenKeys: setting({
    name: 'GIFTWIRE_TOKEN_KEY',
    default: 'made and kept in the data folder',
    meaning:
      'The secret that gift tokens derive from, 32 characters or more; to rotate "2:new,1:old". Required in production',
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
    meaning: 'Private networks that webhooks may go to, as 10.0.0.0/8,fd12:3456::/32; public addresses they always may',
    parse: parseNetworks,
    absent: [],
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: `${logLevels.slice(0, -1).join(', ')} or ${logLevels.at(-1)}`,
    parse: oneOf(logLevels),
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

export type Config = Values<typeof serviceSettings>;
export type Environment = Config['environment'];
export type Role = Config['role'];

/** Reads the environment once and reports every fault in it at once. */
export function readConfig(env: Env = process.env): Config {
  const { values, faults } = readSettings(serviceSettings, env);
  const { name } = serviceSettings.tokenKeys;
  const needsKey = values.environment === 'production' && textOf(name, env) === null;
  if (needsKey) faults.push({ path: name, problem: 'is required in production: 32 characters or more' });
  refuse(faults);
  return Object.freeze({ ...values, demo: values.demo && values.environment === 'test' });
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

export interface TokenKey {
  version: number;
  secret: string;
}

/** Parses `secret`, or `2:new-secret,1:old-secret`. New gifts use the first key. */
export function parseTokenKeys(text: string, name: string = serviceSettings.tokenKeys.name): readonly TokenKey[] {
  const keys = text.split(',').map((part) => {
    const [, version = '1', secret = ''] = /^(?:(\d+):)?(.*)$/s.exec(part.trim()) ?? [];
    return { version: Number(version), secret };
  });
  const versions = keys.map(({ version }) => version);
  if (keys.some(({ secret }) => secret.length < shortestKey))
    throw wrong(name, `must have ${shortestKey} characters or more in each key`);
  if (versions.some((version) => version < 1 || version > 65_535) || new Set(versions).size < versions.length)
    throw wrong(name, 'must have each version once, from 1 to 65535, as "2:new,1:old"');
  return keys;
}

type Env = Readonly<Record<string, string | undefined>>;
type Values<Settings> = Readonly<{ [Key in keyof Settings]: Settings[Key] extends Declared<infer T> ? T : never }>;

function setting<T>(declared: Declared<T>): Declared<T> {
  return declared;
}

/** Without the values of settings that are at fault. */
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

/** A blank setting counts as absent. */
function textOf(name: string, env: Env): string | null {
  return env[name]?.trim() || null;
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const lines = faults.map(({ path, problem }) => `  ${path} ${problem}`);
  throw new Failure('setup', `The settings are not right yet:\n${lines.join('\n')}`, { faults });
}

function wrong(path: string, problem: string): Failure {
  return new Failure('setup', `${path} ${problem}`, { faults: [{ path, problem }] });
}

function oneOf<const T extends string>(allowed: readonly T[]): Parser<T> {
  return (text, name) => {
    const value = allowed.find((one) => one === text);
    if (value === undefined) throw wrong(name, `must be one of ${allowed.join(', ')}`);
    return value;
  };
}

function wholeNumber(least: number, most: number): Parser<number> {
  return (text, name) => {
    const isInRange = /^(0|[1-9]\d{0,9})$/.test(text) && Number(text) >= least && Number(text) <= most;
    if (!isInRange) throw wrong(name, `must be a whole number from ${least} to ${most}`);
    return Number(text);
  };
}

function parseDatabaseUrl(text: string, name: string): string {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    throw wrong(name, 'must look like postgres://user:password@host:5432/database');
  return text;
}

function parseNetworks(text: string, name: string): readonly Network[] {
  return text.split(',').map((part) => {
    const network = parseNetwork(part.trim());
    if (network === null) throw wrong(name, `has "${part.trim()}", which is no network such as 10.0.0.0/8`);
    return network;
  });
}

function parseCurrencies(text: string, name: string): readonly string[] {
  const chosen = text.split(',').map((code) => code.trim());
  const unknown = chosen.filter((code) => !currencies.includes(code));
  if (unknown.length > 0) throw wrong(name, `has codes that are no current ISO 4217 currency: ${unknown.join(', ')}`);
  return chosen;
}
