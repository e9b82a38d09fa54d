import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Failure, unavailable } from '../errors.ts';

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

/** The password as it is stored: the algorithm, its parameters, the salt and the result. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const { memory, passes, parallelism } = cost;
  const tag = await inTurn({ message: password, nonce: salt, ...cost, tagLength });
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/** Takes as long for somebody without a password as for others, so that nobody learns by that who has one. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const { parameters, tag } = read(stored ?? nobody);
  const derived = await inTurn({ message: password.slice(0, longestPassword + 1), ...parameters });
  return timingSafeEqual(derived, tag) && stored !== null;
}

/** Throws if a password is too easy to guess. What it is made of does not matter, how long it is does. */
export function checkNewPassword(password: string, email: string): void {
  if (password.length < shortest || password.length > longestPassword)
    throw weak(`must have ${shortest} to ${longestPassword} characters`);
  if (new Set(password).size < 5) throw weak('must have more different characters');
  const [name = ''] = email.split('@');
  if (name.length > 2 && password.toLowerCase().includes(name)) throw weak('must not contain the e-mail address');
}

function weak(problem: string): Failure {
  return new Failure('invalid', `password ${problem}`, { faults: [{ path: 'password', problem }] });
}

const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

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
