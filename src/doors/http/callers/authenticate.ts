import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actorOf } from '../../../company/access/actor.ts';
import type { Credential, Grant, Grants, WorkspaceGrant } from '../../../company/access/grants.ts';
import { isPersonal } from '../../../company/access/scopes.ts';
import type { TokenUses } from '../../../company/access/token-uses.ts';
import type { Actor } from '../../../ground/contract/actor.ts';
import { Failure, invalid } from '../../../ground/errors.ts';
import type { Route } from '../answer.ts';
import type { OnRequest } from '../area.ts';
import { createGuessLimit, createPace } from '../limits/pace.ts';
import { anySessionOf, type ReadSession } from './session-cookie.ts';

export interface Caller {
  /** The id of the token or of the user; below zero for an employee who is not a user. */
  callerId: number;
  workspace: WorkspaceGrant;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether managers may use this route: it shows them nothing but `caller.workspace.onlyReportsOf` allows. Managers are refused
     * on all other routes, so that a route that forgets the limit shows them nothing.
     */
    forManagers?: boolean;
    /**
     * Whether people who have left may use this route, for as long as their workspace lets them in: they read and spend what they have. They are
     * refused on all other routes.
     */
    forLeavers?: boolean;
  }
  interface FastifyRequest {
    /** Who is calling. */
    grant: Grant;
    /** Who is calling, in the workspace that the request is about. Absent on routes with the access `self`. */
    caller: Caller;
    /** The workspace that the request is about. */
    readonly workspaceId: number;
    /** Who is calling, as the audit log names them. */
    readonly actor: Actor;
  }
}

/** Adds what the authentication finds out to every request. */
export function decorateCallers(app: FastifyInstance): void {
  app.decorateRequest('grant');
  app.decorateRequest('caller');
  app.decorateRequest('workspaceId', { getter: workspaceIdOfCaller });
  app.decorateRequest('actor', { getter: actorOfGrant });
}

function workspaceIdOfCaller(this: FastifyRequest): number {
  return this.caller.workspace.workspaceId;
}

function actorOfGrant(this: FastifyRequest): Actor {
  return actorOf(this.grant, this.caller?.workspace);
}

type Done = (error?: Error) => void;

/** Which workspace a request is about. Areas differ in this: only some of their callers send a header. */
export type WorkspaceIdOf = (request: FastifyRequest, grant: Grant) => number | undefined;

/** Makes the authentication of an area. An area that reads sessions takes them in place of a token. */
export type AuthenticateBy = (workspaceIdOf: WorkspaceIdOf, readSession?: ReadSession) => OnRequest;

/**
 * Authentication by API token, and by the cookie of a session, for the areas that have it: credential (401), workspace (400), right
 * to workspace and operation (403), pace (429), in this order. Areas share the limits, so that a caller has each of them once.
 */
export function createAuthentication(grants: Grants, uses: TokenUses): AuthenticateBy {
  const pace = createPace();
  const noteFailure = createGuessLimit();
  const refuse = (request: FastifyRequest, credential: Credential, done: Done) =>
    void noteFailure(request.ip).then(() => done(unauthenticated(grants, request, credential)), done);
  const admit = (
    request: FastifyRequest,
    reply: FastifyReply,
    grant: Grant,
    workspaceIdOf: WorkspaceIdOf,
    done: Done,
  ) => {
    const failure = refusalOf(request, grant, workspaceIdOf);
    if (grant.token !== null && request.caller) uses.note(request.workspaceId, grant.token.id);
    if (!grant.rateLimitPerMinute) {
      done(failure);
      return;
    }
    // A request that is rejected for other reasons does not count.
    const headers = failure ? pace.left(grant) : pace.count(grant);
    headers.then((left) => {
      reply.headers(left);
      done(failure);
    }, done);
  };
  return (workspaceIdOf, readSession) => (request, reply, done) => {
    if (request.route.access === 'public') {
      done();
      return;
    }
    const credential = credentialOf(request, readSession);
    let secret: string;
    try {
      secret = credential === 'token' ? bearerOf(request) : (readSession as ReadSession)(request);
    } catch (failure) {
      done(failure as Error);
      return;
    }
    const known = grants.recall(secret);
    if (known && isOf(known, credential)) admit(request, reply, known, workspaceIdOf, done);
    else
      grants
        .find(secret, credential)
        .then(
          (grant) => (grant ? admit(request, reply, grant, workspaceIdOf, done) : refuse(request, credential, done)),
          done,
        );
  };
}

/** For work that goes on after a request was let in: fails if the credential was revoked, has expired or lost its rights. */
export async function checkAgain(grants: Grants, request: FastifyRequest, workspaceIdOf: WorkspaceIdOf): Promise<void> {
  const credential = request.grant.session === null ? 'token' : 'session';
  const secret = credential === 'token' ? bearerOf(request) : anySessionOf(request);
  const grant = grants.recall(secret) ?? (await grants.find(secret, credential));
  if (!grant || !isOf(grant, credential)) throw unauthenticated(grants, request, credential);
  authorize(request, grant, workspaceIdOf);
}

/** A request with an Authorization shows a token, whether it has cookies or not. */
function credentialOf({ headers }: FastifyRequest, readSession: ReadSession | undefined): Credential {
  const isToken = headers.authorization !== undefined || headers.cookie === undefined || readSession === undefined;
  return isToken ? 'token' : 'session';
}

/** A session is taken from the cookie alone: there the rules about other sites apply. */
function isOf({ session }: Grant, credential: Credential): boolean {
  return (session !== null) === (credential === 'session');
}

function bearerOf({ headers }: FastifyRequest): string {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

function authorize(request: FastifyRequest, grant: Grant, workspaceIdOf: WorkspaceIdOf): void {
  request.grant = grant;
  if (request.route.access === 'self') return;
  const workspace = rightTo(grant, workspaceIdOf(request, grant), request.route);
  request.caller = {
    // An employee keeps their Idempotency-Keys from one session to the next.
    callerId: workspace.role === 'EMPLOYEE' ? -workspace.memberId : grant.callerId,
    workspace,
  };
}

function refusalOf(request: FastifyRequest, grant: Grant, workspaceIdOf: WorkspaceIdOf): Error | undefined {
  try {
    authorize(request, grant, workspaceIdOf);
  } catch (failure) {
    return failure as Error;
  }
}

/** What the caller has in the workspace. Throws if it does not allow the use of the route. */
function rightTo(
  grant: Grant,
  workspaceId: number | undefined,
  { access, forManagers = false, forLeavers = false }: Route,
): WorkspaceGrant {
  const workspace = grant.workspaces.find((granted) => granted.workspaceId === workspaceId);
  if (!workspace) throw new Failure('forbidden', `${nameOf(grant)} has no right to that workspace.`);
  if (!workspace.scopes.includes(access as string))
    throw new Failure('forbidden', `${nameOf(grant)} lacks the scope ${access}.`);
  if (workspace.hasLeft && !forLeavers)
    throw new Failure('forbidden', 'People who have left can read and spend their gifts here, and nothing else.');
  if (workspace.onlyReportsOf !== null && !forManagers && !isPersonal(access))
    throw new Failure('forbidden', 'This covers the whole workspace. Managers can only see their own reports.');
  return workspace;
}

function nameOf({ session }: Grant): string {
  return session === null ? 'This token' : 'Your role';
}

function unauthenticated(grants: Grants, request: FastifyRequest, credential: Credential): Failure {
  const message =
    credential === 'token'
      ? tokenRefusal(grants, request)
      : 'You are not signed in, or your session has ended: sign in again.';
  return new Failure('unauthenticated', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

const whatToSend = 'send "Authorization: Bearer <token>"';

function tokenRefusal(grants: Grants, request: FastifyRequest): string {
  // Node reads the first of them alone.
  if ((request.raw.headersDistinct.authorization?.length ?? 0) > 1)
    return `The Authorization header was sent more than once: ${whatToSend} once.`;
  const token = bearerOf(request);
  if (token !== '') return grants.tokenProblem(token);
  return request.headers.authorization === undefined
    ? `No credential was sent: ${whatToSend}.`
    : `The Authorization header is not of the form that is accepted: ${whatToSend}.`;
}

/** The workspace as the header X-Workspace-id names it. A page that a browser opens has it in its address: a link sends no header. */
export function workspaceOfHeader({ headers, query, route, raw }: FastifyRequest): number {
  const inAddress = route.html ? (query as { workspaceId?: unknown }).workspaceId : undefined;
  const header = headers['x-workspace-id'] ?? inAddress;
  if (header === undefined) throw invalid([{ path: 'X-Workspace-id', problem: 'is required' }]);
  if (typeof header !== 'string' || !/^\d+$/.test(header) || Number(header) === 0) {
    // Node joins the values of a header that came twice.
    const isRepeated = (raw.headersDistinct['x-workspace-id']?.length ?? 0) > 1;
    const problem = isRepeated ? 'must be given once' : 'must be a positive whole number';
    throw invalid([{ path: 'X-Workspace-id', problem }]);
  }
  return Number(header);
}
