import { Giftwire } from '@giftwire/sdk';

/** Raised when the session has ended: the sign-in page then comes up. */
export const sessionEnded = 'giftwire:session-ended';

/** The API of the service, with the cookie of the session. Reads are repeated by TanStack Query, so not here as well. */
export function openApi(workspaceId: number | null): Giftwire {
  return new Giftwire({ url: location.origin, workspace: workspaceId ?? 0, retries: 1, fetch: noticeEnd });
}

/** Every response is looked at, also of calls that no query makes. The question who is signed in notices the end itself. */
async function noticeEnd(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.status === 401 && !url.endsWith('/me')) window.dispatchEvent(new Event(sessionEnded));
  return response;
}
