import { Giftwire } from '@giftwire/sdk';

/** Raised when the session has ended: the sign-in page then comes up. */
export const sessionEnded = 'giftwire:session-ended';

/** The workspace is part of the address, so that a link opens where it was copied. Null at the root and on the sign-in page. */
export const workspaceId = readWorkspace(location.pathname);

/** The interface of the service, with the cookie of the session. Reads are repeated by TanStack Query, so not here as well. */
export const giftwire = new Giftwire({
  url: location.origin,
  workspace: workspaceId ?? 0,
  retries: 1,
  fetch: noticeEnd,
});

/** Every response is looked at, also of calls that no query makes. The question who is signed in notices it by itself. */
async function noticeEnd(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.status === 401 && !url.endsWith('/me')) window.dispatchEvent(new Event(sessionEnded));
  return response;
}

export function basePath(workspace: number): string {
  return `/w/${workspace}`;
}

function readWorkspace(path: string): number | null {
  const [, id] = /^\/w\/(\d{1,15})(?:\/|$)/.exec(path) ?? [];
  return id === undefined ? null : Number(id);
}
