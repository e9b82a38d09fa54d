import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Grant, Grants, WorkspaceGrant } from '../access/grants.ts';
import { Failure, invalid } from '../errors.ts';

export interface Caller {
  tokenId: number;
  workspace: WorkspaceGrant;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/** Credential (401), workspace header (400), right to workspace and operation (403), pace (429): in this order. */
export function createAuthentication(grants: Grants) {
  const checkPace = createPace();
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<void> => {
    const { access } = request.routeOptions.config;
    if (access === 'public' || access === undefined) return;
    const secret = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const grant = secret ? await grants.find(secret) : null;
    if (!grant) throw unauthenticated();
    const workspaceId = readWorkspaceId(request.headers['x-workspace-id']);
    const workspace = grant.workspaces.find((granted) => granted.workspaceId === workspaceId);
    if (!workspace) throw new Failure('forbidden', 'This token has no right to that workspace.');
    if (!grant.scopes.includes(access)) throw new Failure('forbidden', `This token lacks the scope ${access}.`);
    await checkPace(grant);
    request.caller = { tokenId: grant.tokenId, workspace };
  };
}

function unauthenticated(): Failure {
  return new Failure('unauthenticated', 'The credential is missing or wrong: send "Authorization: Bearer <token>".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

function readWorkspaceId(header: string | string[] | undefined): number {
  if (header === undefined) throw invalid([{ path: 'X-Workspace-id', problem: 'is required' }]);
  if (typeof header !== 'string' || !/^\d+$/.test(header) || Number(header) === 0)
    throw invalid([{ path: 'X-Workspace-id', problem: 'must be a positive whole number' }]);
  return Number(header);
}

/** The optional limit of a token, counted in this process. */
function createPace() {
  const limiters = new Map<number, RateLimiterMemory>();
  return async ({ tokenId, rateLimitPerMinute }: Grant): Promise<void> => {
    if (rateLimitPerMinute === null) return;
    let limiter = limiters.get(tokenId);
    if (limiter?.points !== rateLimitPerMinute) {
      limiter = new RateLimiterMemory({ points: rateLimitPerMinute, duration: 60 });
      limiters.set(tokenId, limiter);
    }
    try {
      await limiter.consume(tokenId);
    } catch (rejection) {
      const seconds = Math.ceil((rejection as RateLimiterRes).msBeforeNext / 1000);
      throw new Failure('tooMany', `This token may send ${rateLimitPerMinute} requests a minute: wait ${seconds} s.`, {
        headers: { 'Retry-After': String(seconds) },
      });
    }
  };
}
