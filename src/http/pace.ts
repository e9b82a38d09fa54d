import cluster from 'node:cluster';
import ipaddr from 'ipaddr.js';
import { RateLimiterCluster, RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Grant } from '../access/grants.ts';
import { Failure, unavailable } from '../errors.ts';

const maxFailuresPerMinute = 1_000;
const maxWrongCodesPerMinute = 60;
const maxWrongSignInsPerMinute = 30;
const maxTestMailsPerMinute = 10;

/** The optional limit of a token. */
export function createPace() {
  const limiters = new Map<string, ReturnType<typeof createLimiter>>();
  return async ({ callerId, rateLimitPerMinute }: Grant): Promise<void> => {
    const points = rateLimitPerMinute as number;
    const name = `token ${callerId} ${points}`;
    const limiter = limiters.get(name) ?? createLimiter(name, points);
    limiters.set(name, limiter);
    await limiter(String(callerId), (seconds) => `This token may send ${points} requests a minute: wait ${seconds} s.`);
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

/** The same for people who sign in with links that are no links. */
export function createSignInLimit() {
  const limiter = createLimiter('sign-ins', maxWrongSignInsPerMinute);
  return (address: string): Promise<void> =>
    limiter(network(address), (seconds) => `Too many attempts to sign in came from this address: wait ${seconds} s.`);
}

/** Limits the test mails that a person sends to themselves. */
export function createTestMailLimit() {
  const limiter = createLimiter('test mails', maxTestMailsPerMinute);
  return (address: string): Promise<void> =>
    limiter(
      address,
      (seconds) => `${maxTestMailsPerMinute} test mails were sent to you in a minute: wait ${seconds} s.`,
    );
}

/** Counts on this node. If the node has several processes, the primary one counts for all of them. */
function createLimiter(keyPrefix: string, points: number) {
  const Limiter = cluster.isWorker ? RateLimiterCluster : RateLimiterMemory;
  const limiter = new Limiter({ keyPrefix, points, duration: 60, timeoutMs: 1_000 });
  return async (key: string, say: (seconds: number) => string): Promise<void> => {
    try {
      await limiter.consume(key);
    } catch (rejection) {
      if (rejection instanceof Error) throw unavailable(rejection);
      const seconds = Math.ceil((rejection as RateLimiterRes).msBeforeNext / 1000);
      throw new Failure('tooMany', say(seconds), { headers: { 'Retry-After': String(seconds) } });
    }
  };
}

/** A caller has any number of IPv6 addresses in one network of 64 bits, so the network is counted. */
function network(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
