import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Grant, Grants, WorkspaceGrant } from '../access/grants.ts';
import { Failure, invalid } from '../errors.ts';
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

/** Credential (401), workspace header (400), right to workspace and operation (403), pace (429): in this order. */
export function createAuthentication(grants: Grants) {
  const checkPace = createPace();
  const noteFailure = createGuessLimit();
  const admit = (request: FastifyRequest, grant: Grant | null, done: Done) => {
    if (!grant) {
      noteFailure(request.ip).then(() => done(unauthenticated()), done);
      return;
    }
    try {
      request.caller = authorize(request, grant);
    } catch (failure) {
      done(failure as Error);
      return;
    }
    if (grant.rateLimitPerMinute) checkPace(grant).then(() => done(), done);
    else done();
  };
  // Written with callbacks: what is known already is answered without waiting for another turn of the event loop.
  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void => {
    const { access } = request.routeOptions.config;
    if (access === 'public' || access === undefined) {
      done();
      return;
    }
    const secret = secretOf(request);
    const known = grants.recall(secret);
    if (known) admit(request, known, done);
    else grants.find(secret).then((grant) => admit(request, grant, done), done);
  };
}

/** For what goes on after a request was let in: fails if the token has been revoked, has expired or lost its rights. */
export async function checkAgain(grants: Grants, request: FastifyRequest): Promise<void> {
  const secret = secretOf(request);
  const grant = grants.recall(secret) ?? (await grants.find(secret));
  if (!grant) throw unauthenticated();
  authorize(request, grant);
}

function secretOf({ headers }: FastifyRequest): string {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

function authorize(request: FastifyRequest, grant: Grant): Caller {
  const { config, url } = request.routeOptions;
  const header = request.headers['x-workspace-id'];
  // Identity providers send no header of ours.
  const isScim = url?.startsWith('/scim/') === true;
  if (isScim && grant.workspaces.length > 1)
    throw new Failure('forbidden', 'This token is for several workspaces: make one for a single workspace.');
  const workspaceId = isScim && header === undefined ? grant.workspaces[0]?.workspaceId : readWorkspaceId(header);
  const workspace = grant.workspaces.find((granted) => granted.workspaceId === workspaceId);
  if (!workspace) throw new Failure('forbidden', 'This token has no right to that workspace.');
  const { access } = config;
  if (!grant.scopes.includes(access as string)) throw new Failure('forbidden', `This token lacks the scope ${access}.`);
  return { tokenId: grant.tokenId, scopes: grant.scopes, workspace };
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
