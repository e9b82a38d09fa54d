import { openApi } from './open-api.ts';

/** The workspace is part of the address, so that a link opens where it was copied. Null at the root and on the sign-in page. */
export const workspaceId = readWorkspace(location.pathname);

export const giftwire = openApi(workspaceId);

export function basePath(workspace: number): string {
  return `/w/${workspace}`;
}

function readWorkspace(path: string): number | null {
  const [, id] = /^\/w\/(\d{1,15})(?:\/|$)/.exec(path) ?? [];
  return id === undefined ? null : Number(id);
}
