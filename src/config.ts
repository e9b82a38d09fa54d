import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, type Fault } from './errors.ts';
import { currencies } from './values/money.ts';

export type Environment = 'test' | 'production';
export type Role = 'all' | 'api' | 'worker';

export interface Config {
  host: string;
  port: number;
  databaseUrl: string | null;
  dataDir: string;
  environment: Environment;
  role: Role;
  processes: number;
  demo: boolean;
  /** Null: use the key in the data folder, which the first start makes. */
  tokenKeys: readonly TokenKey[] | null;
  currencies: readonly string[];
  logLevel: string;
}

export interface Setting {
  name: string;
  default: string;
  meaning: string;
}

type Env = Readonly<Record<string, string | undefined>>;

const projectDir = fileURLToPath(new URL('..', import.meta.url));
const shortestKey = 32;
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Every setting. `giftwire env` prints this list and a test compares docs/settings.md with it. */
export const settings: readonly Setting[] = [
  { name: 'PORT', default: '8080', meaning: 'Port to listen on; 0 takes any free one' },
  { name: 'HOST', default: '127.0.0.1', meaning: 'Address to listen on; 0.0.0.0 for every interface' },
  { name: 'DATABASE_URL', default: '', meaning: 'A PostgreSQL ≥ 15; without it an embedded one is started' },
  { name: 'GIFTWIRE_DATA_DIR', default: '.giftwire', meaning: 'Where the embedded database and the token key live' },
  { name: 'GIFTWIRE_ENV', default: 'test', meaning: 'test or production: each has its own database and token prefix' },
  { name: 'GIFTWIRE_ROLE', default: 'all', meaning: 'all, api (answers requests) or worker (fulfils orders)' },
  {
    name: 'GIFTWIRE_PROCESSES',
    default: '1',
    meaning: 'Processes of this node, 1 to 16: as many as it has cores to spare',
  },
  { name: 'GIFTWIRE_DEMO', default: '1', meaning: '0 leaves the demo workspace out; production never has it' },
  {
    name: 'GIFTWIRE_TOKEN_KEY',
    default: 'made and kept in the data folder',
    meaning:
      'The secret that gift tokens derive from, 32 characters or more; to rotate "2:new,1:old". Required in production',
  },
  {
    name: 'GIFTWIRE_CURRENCIES',
    default: 'every current ISO 4217 code',
    meaning: 'The currencies to accept, for example CAD,USD',
  },
  {
    name: 'GIFTWIRE_URL',
    default: 'http://127.0.0.1 and PORT',
    meaning: 'For `giftwire send`: the service to send to',
  },
  { name: 'GIFTWIRE_TOKEN', default: '', meaning: 'For `giftwire send`: the API token' },
  { name: 'GIFTWIRE_WORKSPACE', default: '1', meaning: 'For `giftwire send`: the workspace id' },
  { name: 'LOG_LEVEL', default: 'info', meaning: 'trace, debug, info, warn, error, fatal or silent' },
];

/** Reads the environment once and reports every fault in it at once. */
export function readConfig(env: Env = process.env): Config {
  const faults: Fault[] = [];
  const fault = (path: string, problem: string) => faults.push({ path, problem });
  const text = (name: string) => env[name]?.trim() || null;
  const choice = <T extends string>(name: string, allowed: readonly T[]): T => {
    const value = text(name) ?? (allowed[0] as T);
    if (!allowed.includes(value as T)) fault(name, `must be one of ${allowed.join(', ')}`);
    return value as T;
  };

  const environment = choice('GIFTWIRE_ENV', ['test', 'production'] as const);
  const port = text('PORT') ?? '8080';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) fault('PORT', 'must be a number from 0 to 65535');
  const processes = text('GIFTWIRE_PROCESSES') ?? '1';
  if (!/^([1-9]|1[0-6])$/.test(processes)) fault('GIFTWIRE_PROCESSES', 'must be a whole number from 1 to 16');
  const databaseUrl = text('DATABASE_URL');
  if (databaseUrl && !(/^postgres(ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl)))
    fault('DATABASE_URL', 'must look like postgres://user:password@host:5432/database');
  const logLevel = text('LOG_LEVEL') ?? 'info';
  if (!logLevels.includes(logLevel)) fault('LOG_LEVEL', `must be one of ${logLevels.join(', ')}`);

  const config: Config = {
    host: text('HOST') ?? '127.0.0.1',
    port: Number(port),
    databaseUrl,
    dataDir: resolve(text('GIFTWIRE_DATA_DIR') ?? resolve(projectDir, '.giftwire')),
    environment,
    role: choice('GIFTWIRE_ROLE', ['all', 'api', 'worker'] as const),
    processes: Number(processes),
    demo: choice('GIFTWIRE_DEMO', ['1', '0'] as const) === '1' && environment === 'test',
    tokenKeys: readTokenKey(text('GIFTWIRE_TOKEN_KEY'), environment, fault),
    currencies: readCurrencies(text('GIFTWIRE_CURRENCIES'), fault),
    logLevel,
  };
  if (faults.length > 0) {
    const lines = faults.map(({ path, problem }) => `  ${path} ${problem}`);
    throw new Failure('setup', `The settings are not right yet:\n${lines.join('\n')}`);
  }
  return Object.freeze(config);
}

export function baseUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export interface ClientConfig {
  url: string;
  token: string | null;
  workspace: string;
}

/** The settings of `giftwire send`, which calls a service over HTTP. */
export function readClientConfig(env: Env = process.env): ClientConfig {
  return {
    url: (env.GIFTWIRE_URL?.trim() || `http://127.0.0.1:${env.PORT?.trim() || 8080}`).replace(/\/+$/, ''),
    token: env.GIFTWIRE_TOKEN?.trim() || null,
    workspace: env.GIFTWIRE_WORKSPACE?.trim() || '1',
  };
}

export interface TokenKey {
  version: number;
  secret: string;
}

/** Parses `secret`, or `2:new-secret,1:old-secret`. New gifts use the first key. */
export function parseTokenKeys(text: string): TokenKey[] {
  const keys = text.split(',').map((part) => {
    const [, version = '1', secret = ''] = /^(?:(\d+):)?(.*)$/s.exec(part.trim()) ?? [];
    return { version: Number(version), secret };
  });
  const versions = keys.map(({ version }) => version);
  const problem = keys.some(({ secret }) => secret.length < shortestKey)
    ? `must have ${shortestKey} characters or more in each key`
    : versions.some((version) => version < 1 || version > 65_535) || new Set(versions).size < versions.length
      ? 'must have each version once, from 1 to 65535, as "2:new,1:old"'
      : null;
  if (problem) throw new Failure('setup', `GIFTWIRE_TOKEN_KEY ${problem}`);
  return keys;
}

function readTokenKey(value: string | null, environment: Environment, fault: (path: string, problem: string) => void) {
  if (value === null) {
    if (environment === 'production') fault('GIFTWIRE_TOKEN_KEY', 'is required in production: 32 characters or more');
    return null;
  }
  try {
    return parseTokenKeys(value);
  } catch (error) {
    fault('GIFTWIRE_TOKEN_KEY', (error as Failure).message.replace('GIFTWIRE_TOKEN_KEY ', ''));
    return null;
  }
}

function readCurrencies(value: string | null, fault: (path: string, problem: string) => void): readonly string[] {
  if (value === null) return currencies;
  const chosen = value.split(',').map((code) => code.trim());
  const unknown = chosen.filter((code) => !currencies.includes(code));
  if (unknown.length > 0)
    fault('GIFTWIRE_CURRENCIES', `has codes that are no current ISO 4217 currency: ${unknown.join(', ')}`);
  return chosen;
}
