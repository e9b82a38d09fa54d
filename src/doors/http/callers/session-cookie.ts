import type { FastifyRequest } from 'fastify';
import { Failure } from '../../../ground/errors.ts';

/** Where people reach the service, and whether it is for trying things out. */
export interface SessionPlace {
  publicUrl: string | null;
  environment: 'test' | 'production';
}

/** Reads the secret of a session from a request: '' without one. Throws if another site may have made the request. */
export type ReadSession = (request: FastifyRequest) => string;

const safeMethods = ['GET', 'HEAD', 'OPTIONS'];

export function readSessionAt({ publicUrl }: SessionPlace): ReadSession {
  const own = publicUrl === null ? null : new URL(publicUrl).host;
  return (request) => {
    const secret = cookieOf(request, cookieName(isSecure(request, publicUrl)));
    if (secret !== '' && !safeMethods.includes(request.method)) rejectCallsOfOtherSites(request, own);
    return secret;
  };
}

/**
 * A browser sends the cookie with requests that other sites make it send. It says in Sec-Fetch-Site which site that is; older
 * ones say it in Origin. A request that changes something and says neither comes from no browser that a session is for.
 */
export function rejectCallsOfOtherSites({ headers }: FastifyRequest, own: string | null): void {
  const { 'sec-fetch-site': site, origin = '', host } = headers;
  const isOwn =
    site === undefined ? URL.canParse(origin) && [host, own].includes(new URL(origin).host) : site === 'same-origin';
  if (!isOwn) throw new Failure('forbidden', 'Another site has sent this: use the console itself.');
}

/** Without https, sessions work only where no one can listen in between. Checked before a link or an attempt is used. */
export function refusePlainHttp(request: FastifyRequest, { publicUrl, environment }: SessionPlace): void {
  if (!isSecure(request, publicUrl) && environment !== 'test' && !isLoopback(request.hostname))
    throw new Failure('forbidden', 'Signing in needs https: open the https address of this service.');
}

/**
 * The header that gives a browser its session. Browsers take a cookie whose name begins with __Host- only over https, for this
 * host alone.
 */
export function sessionCookie(
  request: FastifyRequest,
  { publicUrl }: SessionPlace,
  secret: string,
  seconds: number,
): string {
  const secure = isSecure(request, publicUrl);
  return writeCookie(cookieName(secure), secret, { secure, seconds, sameSite: 'Strict' });
}

export function endedCookie(request: FastifyRequest, { publicUrl }: SessionPlace): string {
  const secure = isSecure(request, publicUrl);
  return writeCookie(cookieName(secure), '', { secure, seconds: 0, sameSite: 'Strict' });
}

export interface CookieRules {
  secure: boolean;
  seconds: number;
  sameSite: 'Strict' | 'Lax';
}

export function writeCookie(name: string, value: string, { secure, seconds, sameSite }: CookieRules): string {
  const rules = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', `SameSite=${sameSite}`, ...(secure ? ['Secure'] : [])];
  return [`${name}=${value}`, ...rules].join('; ');
}

/** The session of a request that was let in already, whichever name its cookie has. */
export function anySessionOf(request: FastifyRequest): string {
  return cookieOf(request, cookieName(true)) || cookieOf(request, cookieName(false));
}

export function cookieOf({ headers }: FastifyRequest, name: string): string {
  for (const part of (headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return '';
}

/** Whether the browser speaks https, to this service or to a proxy in front of it. */
export function isSecure({ protocol }: FastifyRequest, publicUrl: string | null): boolean {
  return protocol === 'https' || (publicUrl?.startsWith('https:') ?? false);
}

export function cookieName(secure: boolean, suffix = ''): string {
  return `${secure ? '__Host-' : ''}giftwire${suffix}`;
}

function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]', '::1'].includes(hostname);
}
