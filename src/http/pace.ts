import cluster from 'node:cluster';
import { RateLimiterCluster, RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Grant } from '../access/grants.ts';
import { Failure, unavailable } from '../errors.ts';

/** The optional limit of a token, counted on this node: where it has several processes, by the one that started them. */
export function createPace() {
  const limiters = new Map<string, RateLimiterMemory | RateLimiterCluster>();
  const Limiter = cluster.isWorker ? RateLimiterCluster : RateLimiterMemory;
  return async ({ tokenId, rateLimitPerMinute }: Grant): Promise<void> => {
    const points = rateLimitPerMinute as number;
    const keyPrefix = `${tokenId}:${points}`;
    const limiter = limiters.get(keyPrefix) ?? new Limiter({ keyPrefix, points, duration: 60, timeoutMs: 1_000 });
    limiters.set(keyPrefix, limiter);
    try {
      await limiter.consume(tokenId);
    } catch (rejection) {
      if (rejection instanceof Error) throw unavailable(rejection);
      const seconds = Math.ceil((rejection as RateLimiterRes).msBeforeNext / 1000);
      throw new Failure('tooMany', `This token may send ${points} requests a minute: wait ${seconds} s.`, {
        headers: { 'Retry-After': String(seconds) },
      });
    }
  };
}
