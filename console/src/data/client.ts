import { Giftwire } from '@giftwire/sdk';

/** The workspace is part of the address, so that a link opens where it was copied. Null at the root and on the sign-in page. */
export const workspaceId = readWorkspace(location.pathname);

/** The interface of the service, with the cookie of the session. Reads are repeated by TanStack Query, so not here as well. */
export const giftwire = new Giftwire({ url: location.origin, workspace: workspaceId ?? 0, retries: 1 });

export function basePath(workspace: number): string {
  return `/w/${workspace}`;
}

function readWorkspace(path: string): number | null {
  const [, id] = /^\/w\/(\d{1,15})(?:\/|$)/.exec(path) ?? [];
  return id === undefined ? null : Number(id);
}
