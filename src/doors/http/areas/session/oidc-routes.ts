import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openEmployeeSession } from '../../../../company/access/employee-sessions.ts';
import { linkRoles, lockToLink } from '../../../../company/access/linking.ts';
import { findByProvider } from '../../../../company/access/memberships.ts';
import type { OidcAttempt, OidcPerson, OidcProvider } from '../../../../company/access/oidc.ts';
import { connectOidc, findByOidc } from '../../../../company/access/oidc-users.ts';
import { findSession, openSession, type SignedIn } from '../../../../company/access/sessions.ts';
import { readNow } from '../../../../ground/database/clock.ts';
import { Failure } from '../../../../ground/errors.ts';
import {
  cookieName,
  cookieOf,
  isSecure,
  readSessionAt,
  refusePlainHttp,
  writeCookie,
} from '../../callers/session-cookie.ts';
import { createProviderLimit } from '../../limits/pace.ts';
import { type Begin, employeesPath, type SessionOptions } from './options.ts';

interface OidcOptions extends SessionOptions {
  provider: OidcProvider;
  begin: Begin;
}

/** What the browser keeps until the provider sends it back. */
interface Kept extends OidcAttempt {
  /** The page to go to afterwards. */
  to: string;
  /** Of a signed-in user who connects their account with the provider; else ''. */
  session: string;
}

const attemptSeconds = 600;

const isForEmployees = (to: string) => /^\/my(?:[/?]|$)/.test(to);

type Query = Readonly<Record<string, string | undefined>>;

/** Signing in through an OpenID provider: there and back. What goes wrong is told on the sign-in page. */
export function serveOidc(app: FastifyInstance, options: OidcOptions): void {
  const { provider, publicUrl, begin } = options;
  const limit = createProviderLimit(options.database);
  const readSession = readSessionAt(options);
  const shared = {
    schema: { hide: true },
    onRequest: async (request: FastifyRequest) => refusePlainHttp(request, options),
  };
  const returnTo = ({ protocol, host }: FastifyRequest) =>
    `${publicUrl ?? `${protocol}://${host}`}/session/oidc/callback`;

  app.get('/oidc', shared, async (request, reply) => {
    const { to = '', connect } = request.query as Query;
    const begun = await provider.begin(returnTo(request)).catch((failure) => failure as Error);
    if (begun instanceof Error) return tell(request, reply, begun, to);
    const { url, attempt } = begun;
    // The cookie of the session does not come along when the provider sends the browser back, so this one carries it.
    const session = connect === undefined ? '' : readSession(request);
    return reply.header('Set-Cookie', keep(request, options, { ...attempt, to: ownPath(to), session })).redirect(url);
  });

  app.get('/oidc/callback', shared, async (request, reply) => {
    const kept = keptBy(request, options);
    reply.header('Set-Cookie', keep(request, options, null));
    try {
      if (!kept) throw new Failure('unauthenticated', 'This attempt to sign in was begun too long ago: try again.');
      const search = new URL(request.url, 'http://localhost').search;
      const forget = await limit(request.ip);
      const person = await provider.finish(new URL(returnTo(request) + search), kept, await readNow(options.database));
      const signedIn = await enter(request, options, { person, kept });
      await forget();
      if (signedIn) begin(request, reply, signedIn);
      // The console shows nothing to employees who are not users.
      return reply.redirect(signedIn?.isEmployee && !isForEmployees(kept.to) ? employeesPath : kept.to);
    } catch (failure) {
      return tell(request, reply, failure, kept?.to);
    }
  });
}

/** The sign-in pages have words for each kind of failure. */
function tell(request: FastifyRequest, reply: FastifyReply, failure: unknown, to = ''): FastifyReply {
  if (!(failure instanceof Failure)) throw failure;
  request.log.warn({ reqId: request.id, err: failure.cause ?? failure }, 'A user could not sign in with OpenID.');
  return reply.redirect(`${isForEmployees(to) ? employeesPath : ''}/sign-in?fault=${failure.kind}`);
}

/** Opens a session; null for a user who has connected their account and keeps their session. */
async function enter(
  request: FastifyRequest,
  options: OidcOptions,
  { person, kept }: { person: OidcPerson; kept: Kept },
): Promise<(SignedIn & { isEmployee?: true }) | null> {
  const browser = request.headers['user-agent'] ?? null;
  const { verifiedEmail } = person;
  return options.database.transaction(async (tx) => {
    const workspaces = await lockToLink(tx, verifiedEmail);
    const employees = await findByProvider(tx, person);
    const proof = { email: verifiedEmail, subject: person.subject, employees };
    const opening = { way: 'OIDC', browser, proof } as const;
    if (kept.session !== '') {
      const user = await findSession(tx, kept.session);
      if (!user) throw new Failure('unauthenticated', 'Your session has ended: sign in again.');
      const remaining = await connectOidc(tx, user, person);
      await linkRoles(tx, remaining, verifiedEmail, workspaces);
      return remaining.id === user.id ? null : openSession(tx, options, remaining, opening);
    }
    const user = await findByOidc(tx, person);
    if (!user) {
      const signedIn = await openEmployeeSession(tx, options, opening);
      if (signedIn) return { ...signedIn, isEmployee: true };
      throw new Failure('forbidden', 'This person has no access yet: ask a workspace owner to add them.');
    }
    await linkRoles(tx, user, verifiedEmail, workspaces);
    return openSession(tx, options, user, opening);
  });
}

function keep(request: FastifyRequest, { publicUrl }: OidcOptions, kept: Kept | null): string {
  const secure = isSecure(request, publicUrl);
  const value = kept === null ? '' : Buffer.from(JSON.stringify(kept)).toString('base64url');
  // Lax, because the provider's site sends the browser back.
  const rules = { secure, seconds: kept === null ? 0 : attemptSeconds, sameSite: 'Lax' } as const;
  return writeCookie(cookieName(secure, '-oidc'), value, rules);
}

function keptBy(request: FastifyRequest, { publicUrl }: OidcOptions): Kept | null {
  const value = cookieOf(request, cookieName(isSecure(request, publicUrl), '-oidc'));
  try {
    const { state, nonce, verifier, to, session } = JSON.parse(Buffer.from(value, 'base64url').toString());
    const texts = [state, nonce, verifier, to, session];
    if (!texts.every((text) => typeof text === 'string')) return null;
    return { state, nonce, verifier, to: ownPath(to), session };
  } catch {
    return null;
  }
}

/** A page of this service; anything else is the first page. */
function ownPath(to: string): string {
  return /^\/(?![/\\])[\w\-./?=&%$]*$/.test(to) ? to : '/';
}
