import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Failure, unavailable } from '../../ground/errors.ts';

const derive = promisify(argon2);

/** Argon2id as OWASP recommends it: 19 MiB and two passes, about 30 ms of one core. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagLength = 32;

const shortest = 12;
const longestPassword = 200;

/** Deriving takes a core and memory, and strangers can ask for it: two at a time, and not many wait. */
const maxAtOnce = 2;
const maxWaiting = 30;

/**
 * The password as it is stored: the algorithm, its parameters, the salt and the result. Passwords of accounts with the same address
 * have the same salt: `like` is one of them. So one derivation compares a password with all of them.
 */
export async function hashPassword(password: string, like: string | null = null): Promise<string> {
  const salt = (like === null ? null : saltOf(like)) ?? randomBytes(saltBytes);
  const tag = await inTurn({ message: password, nonce: salt, ...cost, tagLength });
  return `${prefix}${base64(salt)}$${base64(tag)}`;
}

/**
 * Which of these stored passwords is the given one: its index, or null. It takes as long for an address without a password, and for one
 * with several accounts, so that the time does not say which addresses have accounts.
 */
export async function findPassword(password: string, stored: readonly string[]): Promise<number | null> {
  const message = password.slice(0, longestPassword + 1);
  const tags = new Map<string, Buffer>();
  for (const one of stored.length > 0 ? stored : [noAccount])
    if (!tags.has(beforeTag(one))) tags.set(beforeTag(one), await inTurn({ message, ...read(one).parameters }));
  const isRight = (one: string) => timingSafeEqual(tags.get(beforeTag(one)) as Buffer, read(one).tag);
  const found = stored.findIndex(isRight);
  return found < 0 ? null : found;
}

/** Throws if a password is too easy to guess. What it is made of does not matter, how long it is does. */
export function checkNewPassword(password: string, email: string): void {
  if (password.length < shortest || password.length > longestPassword)
    throw weak(`must have ${shortest} to ${longestPassword} characters`);
  if (new Set(password).size < 5) throw weak('must have more different characters');
  const [name = ''] = email.split('@');
  if (name.length > 2 && password.toLowerCase().includes(name)) throw weak('must not contain the email address');
}

function weak(problem: string): Failure {
  return new Failure('invalid', `password ${problem}`, { faults: [{ path: 'password', problem }] });
}

const prefix = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`;
const noAccount = `${prefix}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** The algorithm, the parameters and the salt: what a derivation needs beside the password. */
function beforeTag(stored: string): string {
  return stored.slice(0, stored.lastIndexOf('$'));
}

/** Null if the password was stored with other parameters. */
function saltOf(stored: string): Buffer | null {
  return stored.startsWith(prefix) ? Buffer.from(beforeTag(stored).slice(prefix.length), 'base64') : null;
}

function read(stored: string): { parameters: Omit<Argon2Parameters, 'message'>; tag: Buffer } {
  const [, memory, passes, parallelism, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored) ?? [];
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), tagLength };
  return { parameters: { ...parameters, nonce: Buffer.from(salt, 'base64') }, tag: Buffer.from(tag, 'base64') };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

const waiting: (() => void)[] = [];
let underWay = 0;

async function inTurn(parameters: Argon2Parameters): Promise<Buffer> {
  if (underWay < maxAtOnce) underWay++;
  else if (waiting.length >= maxWaiting) throw unavailable();
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await derive('argon2id', parameters);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else underWay--;
  }
}
