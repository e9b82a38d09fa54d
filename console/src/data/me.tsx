import { useMemo } from 'react';
import { giftwire } from './client.ts';
import type { Owner } from './owner.ts';
import { meReader, useHere } from './signed-in.ts';

export { HereProvider, useCan, useHere } from './signed-in.ts';

export const readMe = meReader(giftwire, ({ user }) => user?.id.toString());

/** The person who is signed in, as the owner of what this browser keeps for them in the workspace. */
export function useOwner(): Owner {
  const { me, workspace } = useHere();
  const [workspaceId, userId] = [workspace.id, me.user?.id ?? 0];
  return useMemo(() => ({ workspaceId, userId }), [workspaceId, userId]);
}

/** The day that it is in the workspace, for example 2026-11-02. Reports count in its days. */
export function useToday(): string {
  return dayIn(useHere().workspace.timeZone);
}

export function dayIn(timeZone: string): string {
  // Canadian English writes days as 2026-11-02.
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
}
