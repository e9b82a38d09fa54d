import { openApi } from '../../data/open-api.ts';

const [, named] = /^\/my\/([1-9]\d{0,14})(?:\/|$)/.exec(location.pathname) ?? [];

/** The workspace is part of the address, so that a link opens where it was copied. Null at /my and on its sign-in page. */
export const workspaceId = named === undefined ? null : Number(named);

/** What comes before every place in the address. */
export const base = workspaceId === null ? '/my' : baseOf(workspaceId);

export const giftwire = openApi(workspaceId);

export function baseOf(workspace: number): string {
  return `/my/${workspace}`;
}
