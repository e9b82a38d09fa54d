import cluster from 'node:cluster';
import ipaddr from 'ipaddr.js';
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterMemory,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import { type AttemptLimit, countAttempt, forgetAttempt, forgetAttempts } from '../../../company/access/attempts.ts';
import type { Grant } from '../../../company/access/grants.ts';
import { forgetKioskAttempts, kioskLimits, kioskPerson } from '../../../company/access/kiosk-attempts.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { Failure, unavailable } from '../../../ground/errors.ts';
import { addressKey } from '../../../ground/values/email.ts';

const maxFailuresPerMinute = 1_000;
const maxWrongCodesPerMinute = 60;
const maxWrongSignInsPerMinute = 30;
const maxTestMailsPerMinute = 10;
const attemptSeconds = 900;
const windowSeconds = 60;

export type PaceHeaders = Record<'RateLimit-Limit' | 'RateLimit-Remaining' | 'RateLimit-Reset', string>;

/** The optional limit of a token. Every response to a token that has one says how much of it is left. */
export function createPace() {
  const limiters = new Map<string, RateLimiterAbstract>();
  const limiterOf = ({ callerId, rateLimitPerMinute }: Grant) => {
    const name = `token ${callerId} ${rateLimitPerMinute}`;
    const limiter = limiters.get(name) ?? createCounter(name, rateLimitPerMinute as number);
    limiters.set(name, limiter);
    return limiter;
  };
  const headersFor = (grant: Grant, left: RateLimiterRes | null): PaceHeaders => ({
    'RateLimit-Limit': String(grant.rateLimitPerMinute),
    'RateLimit-Remaining': String(left?.remainingPoints ?? grant.rateLimitPerMinute),
    'RateLimit-Reset': String(left ? secondsOf(left) : windowSeconds),
  });
  return {
    /** Counts a request, and returns what is left. Throws when nothing was. */
    async count(grant: Grant): Promise<PaceHeaders> {
      const { callerId, rateLimitPerMinute } = grant;
      const say = (seconds: number) =>
        `This token may send ${rateLimitPerMinute} requests a minute: wait ${seconds} s.`;
      const spent = (left: RateLimiterRes) => headersFor(grant, left);
      return spent(await consume(limiterOf(grant), String(callerId), say, spent));
    },
    /** What is left, for a request that is rejected before it counts. */
    async left(grant: Grant): Promise<PaceHeaders> {
      return headersFor(grant, await limiterOf(grant).get(String(grant.callerId)));
    },
  };
}

/** Slows down callers who guess tokens. It counts wrong tokens only, so a caller with a good one is never slowed down. */
export function createGuessLimit() {
  const limiter = createLimiter('failures', maxFailuresPerMinute);
  return (address: string): Promise<void> =>
    limiter(network(address), (seconds) => `Too many wrong credentials came from this address: wait ${seconds} s.`);
}

/** The same for visitors who guess codes of gifts. */
export function createCodeLimit() {
  const limiter = createLimiter('codes', maxWrongCodesPerMinute);
  return (address: string): Promise<void> =>
    limiter(network(address), (seconds) => `Too many wrong codes came from this address: wait ${seconds} s.`);
}

/** The same for people who sign in with links that are no links, over all nodes. */
export function createSignInLimit(database: Queryable) {
  const ofNetwork = { name: 'sign-ins', most: maxWrongSignInsPerMinute, seconds: 60 };
  return (address: string): Promise<void> => count(database, ofNetwork, network(address), tooManySignIns);
}

const tooManySignIns = (seconds: number) => `Too many attempts to sign in came from this address: wait ${seconds} s.`;

/**
 * The same for people whom an OpenID provider sends back. Each of them costs a request to the provider, with our secret, so an attempt
 * counts before it is made. A successful sign-in does not count: the returned function removes it.
 */
export function createProviderLimit(database: Queryable) {
  const ofNetwork = { name: 'provider sign-ins', most: maxWrongSignInsPerMinute, seconds: 60 };
  return async (address: string): Promise<() => Promise<void>> => {
    await count(database, ofNetwork, network(address), tooManySignIns);
    return () => forgetAttempt(database, ofNetwork, network(address));
  };
}

/** Limits the sign-in links that are emailed, over all nodes: to one address, and for one network. */
export function createEmailedLinkLimit(database: Queryable) {
  const ofAddress = { name: 'emailed links', most: 3, seconds: attemptSeconds };
  const ofNetwork = { name: 'networks of emailed links', most: 20, seconds: attemptSeconds };
  const say = (seconds: number) => `Too many sign-in links were asked for: wait ${Math.ceil(seconds / 60)} min.`;
  return async (address: string, email: string): Promise<void> => {
    await count(database, ofNetwork, network(address), say);
    await count(database, ofAddress, addressKey(email), say);
  };
}

/** Limits the files of all of their data that a person downloads, over all nodes: each reads every table. */
export function createDataLimit(database: Queryable) {
  const ofPerson = { name: 'own data', most: 3, seconds: 86_400 };
  const say = (seconds: number) =>
    `You downloaded your data three times in a day: wait ${Math.ceil(seconds / 3_600)} h.`;
  return (workspaceId: number, memberId: number): Promise<void> =>
    count(database, ofPerson, `${workspaceId} ${memberId}`, say);
}

/** Limits the test emails that a person sends to themselves. */
export function createTestMailLimit() {
  const limiter = createLimiter('test emails', maxTestMailsPerMinute);
  return (address: string): Promise<void> =>
    limiter(address, (seconds) => `${maxTestMailsPerMinute} test emails were sent in a minute: wait ${seconds} s.`);
}

/**
 * Limits attempts with passwords, over all nodes: of one network for one person, of a network for all, and of all networks for one
 * person. An attempt counts before it is made, so that many at once count too. A right one is forgotten: the function that is returned
 * does that.
 */
export function createPasswordLimit(database: Queryable) {
  const ofBoth = { name: 'password attempts', most: 10, seconds: attemptSeconds };
  const ofNetwork = { name: 'password networks', most: 100, seconds: attemptSeconds };
  const ofPerson = { name: 'password people', most: 100, seconds: attemptSeconds };
  const say = (seconds: number) =>
    `Too many attempts to sign in: wait ${Math.ceil(seconds / 60)} min, or use a sign-in link.`;
  return async (address: string, email: string): Promise<() => Promise<void>> => {
    const person = addressKey(email);
    const both = `${network(address)} ${person}`;
    await count(database, ofBoth, both, say);
    await count(database, ofNetwork, network(address), say);
    await count(database, ofPerson, person, say);
    return async () => {
      await forgetAttempts(database, ofBoth, both);
      await forgetAttempt(database, ofNetwork, network(address));
      await forgetAttempt(database, ofPerson, person);
    };
  };
}

/**
 * Limits attempts at kiosks, over all nodes: of all networks for one employee number, in five minutes and in a day, and of a network for all numbers. An
 * attempt counts before it is made. A right one is forgotten: the function that is returned does that.
 */
export function createKioskLimit(database: Queryable) {
  const ofNetwork = { name: 'kiosk networks', most: 60, seconds: attemptSeconds };
  const say = (seconds: number) => `Too many attempts: wait ${Math.ceil(seconds / 60)} min.`;
  return async (address: string, workspaceId: number, employeeNumber: string): Promise<() => Promise<void>> => {
    const person = kioskPerson(workspaceId, employeeNumber);
    await count(database, ofNetwork, network(address), say);
    for (const limit of kioskLimits) await count(database, limit, person, say);
    return async () => {
      await forgetKioskAttempts(database, workspaceId, employeeNumber);
      await forgetAttempt(database, ofNetwork, network(address));
    };
  };
}

async function count(on: Queryable, limit: AttemptLimit, of: string, say: (seconds: number) => string): Promise<void> {
  const seconds = await countAttempt(on, limit, of);
  if (seconds !== null) throw tooMany(seconds, say);
}

/** Counts on this node. If the node has several processes, the primary one counts for all of them. */
function createCounter(keyPrefix: string, points: number): RateLimiterAbstract {
  const Limiter = cluster.isWorker ? RateLimiterCluster : RateLimiterMemory;
  return new Limiter({ keyPrefix, points, duration: windowSeconds, timeoutMs: 1_000 });
}

function createLimiter(keyPrefix: string, points: number) {
  const limiter = createCounter(keyPrefix, points);
  return async (key: string, say: (seconds: number) => string): Promise<void> => {
    await consume(limiter, key, say);
  };
}

async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  say: (seconds: number) => string,
  headersOf: (left: RateLimiterRes) => Record<string, string> = () => ({}),
): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (rejection) {
    if (rejection instanceof Error) throw unavailable(rejection);
    const left = rejection as RateLimiterRes;
    throw tooMany(secondsOf(left), say, headersOf(left));
  }
}

/** The library reads the clock of this machine: after a step back it would ask for more than a window. */
function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.min(Math.ceil(msBeforeNext / 1_000), windowSeconds);
}

function tooMany(seconds: number, say: (seconds: number) => string, headers: Record<string, string> = {}): Failure {
  return new Failure('tooMany', say(seconds), { headers: { 'Retry-After': String(seconds), ...headers } });
}

/** A caller has any number of IPv6 addresses in one network of 64 bits, so the network is counted. */
function network(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
