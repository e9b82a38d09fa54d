import { useLocation } from '@tanstack/react-router';
import { basePath, workspaceId } from '../data/client.ts';

/** The address of the current screen below the workspace's, without a slash at its end. */
export function usePath(): string {
  const { pathname } = useLocation();
  const base = workspaceId === null ? '' : basePath(workspaceId);
  return (pathname.startsWith(base) ? pathname.slice(base.length) : pathname).replace(/(.)\/+$/, '$1') || '/';
}
