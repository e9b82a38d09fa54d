import type { FastifyRequest } from 'fastify';
import type { Grant, Grants, WorkspaceGrant } from '../access/grants.ts';
import { Failure, invalid } from '../errors.ts';
import type { OnRequest } from './area.ts';
import { createGuessLimit, createPace } from './pace.ts';

export interface Caller {
  tokenId: number;
  scopes: readonly string[];
  workspace: WorkspaceGrant;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

type Done = (error?: Error) => void;

/** Which workspace a request is about. Areas differ in this: only some of their callers send a header. */
export type WorkspaceIdOf = (request: FastifyRequest, grant: Grant) => number | undefined;

/**
 * Authentication by API token, for the areas that have it: credential (401), workspace (400), right to workspace and
 * operation (403), pace (429), in this order. Areas share the limits, so that a caller has each of them once.
 */
export function createAuthentication(grants: Grants): (workspaceIdOf: WorkspaceIdOf) => OnRequest {
  const checkPace = createPace();
  const noteFailure = createGuessLimit();
  const refuse = (request: FastifyRequest, done: Done) =>
    void noteFailure(request.ip).then(() => done(unauthenticated()), done);
  const admit = (request: FastifyRequest, grant: Grant, workspaceIdOf: WorkspaceIdOf, done: Done) => {
    try {
      request.caller = authorize(request, grant, workspaceIdOf);
    } catch (failure) {
      done(failure as Error);
      return;
    }
    if (grant.rateLimitPerMinute) checkPace(grant).then(() => done(), done);
    else done();
  };
  return (workspaceIdOf) => (request, _reply, done) => {
    if (request.routeOptions.config.access === 'public') {
      done();
      return;
    }
    const secret = secretOf(request);
    const known = grants.recall(secret);
    if (known) admit(request, known, workspaceIdOf, done);
    else
      grants
        .find(secret)
        .then((grant) => (grant ? admit(request, grant, workspaceIdOf, done) : refuse(request, done)), done);
  };
}

/** For work that goes on after a request was let in: fails if the token has been revoked, has expired or lost its rights. */
export async function checkAgain(grants: Grants, request: FastifyRequest, workspaceIdOf: WorkspaceIdOf): Promise<void> {
  const secret = secretOf(request);
  const grant = grants.recall(secret) ?? (await grants.find(secret));
  if (!grant) throw unauthenticated();
  authorize(request, grant, workspaceIdOf);
}

function secretOf({ headers }: FastifyRequest): string {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

function authorize(request: FastifyRequest, grant: Grant, workspaceIdOf: WorkspaceIdOf): Caller {
  const workspaceId = workspaceIdOf(request, grant);
  const workspace = grant.workspaces.find((granted) => granted.workspaceId === workspaceId);
  if (!workspace) throw new Failure('forbidden', 'This token has no right to that workspace.');
  const { access } = request.routeOptions.config;
  if (!grant.scopes.includes(access as string)) throw new Failure('forbidden', `This token lacks the scope ${access}.`);
  return { tokenId: grant.tokenId, scopes: grant.scopes, workspace };
}

function unauthenticated(): Failure {
  return new Failure('unauthenticated', 'The credential is missing or wrong: send "Authorization: Bearer <token>".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** The workspace as the header X-Workspace-id names it. */
export function workspaceOfHeader({ headers }: FastifyRequest): number {
  const header = headers['x-workspace-id'];
  if (header === undefined) throw invalid([{ path: 'X-Workspace-id', problem: 'is required' }]);
  if (typeof header !== 'string' || !/^\d+$/.test(header) || Number(header) === 0)
    throw invalid([{ path: 'X-Workspace-id', problem: 'must be a positive whole number' }]);
  return Number(header);
}
