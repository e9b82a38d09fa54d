import { GiftwireError } from '@giftwire/sdk';

/** Ends the session on the service, then forgets everything that the page has read, and the gift that is being written. */
export async function signOut(to = '/'): Promise<void> {
  await ask('DELETE', '/session');
  sessionStorage.clear();
  location.replace(to);
}

/** Signs in with the secret of a link, which is then used up. */
export function openLink(link: string): Promise<unknown> {
  return ask('POST', '/session/link', { link });
}

export function enterPassword(email: string, password: string): Promise<unknown> {
  return ask('POST', '/session/password', { email, password });
}

/** Has a sign-in link emailed, if the address is known. The response does not say whether it is. */
export function askForLink(email: string): Promise<unknown> {
  return ask('POST', '/session/email', { email });
}

/** The same for the employees' app. */
export function askForMyLink(email: string): Promise<unknown> {
  return ask('POST', '/session/email', { email, to: 'MY' });
}

/** Signs in at a shared screen. The session lasts ten minutes. */
export function enterCode(workspace: number, employeeNumber: string, code: string): Promise<unknown> {
  return ask('POST', '/session/kiosk', { workspace, employeeNumber, code });
}

/** Sessions are not part of the API: only the console has them, so the SDK has no method for it. */
export async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(path, {
    method,
    headers: { Accept: 'application/json', ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause) => {
    throw new GiftwireError('no_answer', String(cause));
  });
  if (answer.status === 204) return null;
  const read = await answer.json().catch(() => ({}));
  if (answer.ok) return read;
  const { message = answer.statusText } = read as { message?: string };
  throw new GiftwireError(answer.status >= 500 ? 'server_error' : 'security_error', message, { status: answer.status });
}

export interface Ways {
  /** The OpenID provider that people can sign in with; null: none is set up. */
  oidc: { name: string } | null;
  /** Whether the service emails sign-in links. */
  email: boolean;
  /** Whether employees can sign in at a shared screen, with their number and a printed code. */
  kiosk: boolean;
}

/** How one can sign in here. Kiosks belong to a workspace. */
export function readWays(workspace: number | null = null): Promise<Ways> {
  return ask('GET', workspace === null ? '/session/ways' : `/session/ways?workspace=${workspace}`) as Promise<Ways>;
}
