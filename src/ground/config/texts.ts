import { Failure } from '../errors.ts';
import { urlsOfServers } from '../values/database-url.ts';
import { isEmail } from '../values/email.ts';
import { currencies } from '../values/money.ts';
import { type Network, parseNetwork } from '../values/network.ts';
import { urlProblem } from '../values/url.ts';

/** Reads the text of a setting. Throws a `Failure` that says what is wrong with it. The name is the setting's, or where else the text is from. */
export type Parser<T> = (text: string, name: string) => T;

/** What people are told of a setting. */
export interface Setting {
  name: string;
  /** The default as text: a value, or what happens without one. */
  default: string;
  meaning: string;
}

export interface Declared<T> extends Setting {
  parse: Parser<T>;
  /** The value without the setting, where `default` only describes it. Else `default` is parsed. */
  absent?: T;
}

export function setting<T>(declared: Declared<T>): Declared<T> {
  return declared;
}

/** The URL of an SMTP server; `outbox`: emails are only marked as sent, for people who try things out; `off`: none are made. */
export type MailServer = string;

const shortestKey = 32;

export interface TokenKey {
  version: number;
  secret: string;
}

/** Parses `secret`, or `2:new-secret,1:old-secret`. New gifts use the first key. */
export function parseTokenKeys(text: string, name = 'GIFTWIRE_TOKEN_KEY'): readonly TokenKey[] {
  const keys = text.split(',').map((part) => {
    const [, version = '1', secret = ''] = /^(?:(\d+):)?(.*)$/s.exec(part.trim()) ?? [];
    return { version: Number(version), secret };
  });
  const versions = keys.map(({ version }) => version);
  if (keys.some(({ secret }) => secret.length < shortestKey))
    throw wrong(name, `must have ${shortestKey} characters or more in each key`);
  if (versions.some((version) => version < 1 || version > 65_535) || new Set(versions).size < versions.length)
    throw wrong(name, 'must have each version once, from 1 to 65535, for example "2:new,1:old"');
  return keys;
}

/** 32 bytes, as `giftwire backup key` writes them. */
export function parseBackupKey(text: string, name: string): Buffer {
  const key = Buffer.from(text, 'base64url');
  if (!/^[\w-]{43}$/.test(text) || key.length !== 32)
    throw wrong(name, 'is not a key of backups: "giftwire backup key" creates one');
  return key;
}

export function wrong(path: string, problem: string): Failure {
  return new Failure('setup', `${path} ${problem}`, { faults: [{ path, problem }] });
}

export function oneOfTexts<const T extends string>(allowed: readonly T[]): Parser<T> {
  return (text, name) => {
    const value = allowed.find((one) => one === text);
    if (value === undefined) throw wrong(name, `must be one of ${allowed.join(', ')}`);
    return value;
  };
}

export function wholeNumber(least: number, most: number): Parser<number> {
  return (text, name) => {
    const isInRange = /^(0|[1-9]\d{0,9})$/.test(text) && Number(text) >= least && Number(text) <= most;
    if (!isInRange) throw wrong(name, `must be a whole number from ${least} to ${most}`);
    return Number(text);
  };
}

export function parseDatabaseUrl(text: string, name: string): string {
  if (urlsOfServers(text) === null)
    throw wrong(
      name,
      'must look like postgres://user:password@host:5432/database, or with several servers postgres://user:password@one:5432,two:5432/database?target_session_attrs=read-write',
    );
  return text;
}

/** Of one server: a replica is not looked for among several. */
export function parseReplicaUrl(text: string, name: string): string {
  if (urlsOfServers(text)?.[0] !== text)
    throw wrong(name, 'must look like postgres://user:password@replica:5432/database');
  return text;
}

export function parsePublicUrl(text: string, name: string): string {
  const url = urlProblem(text, 'web') === null ? new URL(text) : null;
  if (!url || url.search || url.hash) throw wrong(name, 'must look like https://gifts.example.com');
  return url.href.replace(/\/+$/, '');
}

/** Exactly as browsers write an origin: without a path, and without a slash at the end. */
export function parseOrigins(text: string, name: string): readonly string[] {
  return text.split(',').map((part) => {
    const origin = part.trim();
    if (urlProblem(origin, 'web') !== null || new URL(origin).origin !== origin)
      throw wrong(name, `has "${origin}", which is no origin such as https://intranet.example.com`);
    return origin;
  });
}

export function parseMailServer(text: string, name: string): MailServer {
  if (text === 'outbox' || text === 'off') return text;
  if (!/^smtps?:\/\/./.test(text) || !URL.canParse(text))
    throw wrong(name, 'must look like smtps://user:password@smtp.example.com, or be outbox or off');
  return text;
}

export function parseAddress(text: string, name: string): string {
  if (!isEmail(text)) throw wrong(name, 'must be an email address, for example gifts@example.com');
  return text;
}

export function parseDkim(text: string, name: string): { selector: string; keyFile: string } {
  const [, selector, keyFile] = /^([a-z0-9-]+):(.+)$/i.exec(text) ?? [];
  if (!selector || !keyFile)
    throw wrong(name, 'must be a selector, a colon and a file, for example gifts:/etc/giftwire/dkim.pem');
  return { selector, keyFile };
}

export function parseNetworks(text: string, name: string): readonly Network[] {
  return text.split(',').map((part) => {
    const network = parseNetwork(part.trim());
    if (network === null) throw wrong(name, `has "${part.trim()}", which is no network such as 10.0.0.0/8`);
    return network;
  });
}

export function parseCurrencies(text: string, name: string): readonly string[] {
  const chosen = text.split(',').map((code) => code.trim());
  const unknown = chosen.filter((code) => !currencies.includes(code));
  if (unknown.length > 0) throw wrong(name, `has codes that are no current ISO 4217 currency: ${unknown.join(', ')}`);
  return chosen;
}
