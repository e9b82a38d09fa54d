import { GiftwireError, type Me, type MyWorkspace } from '@giftwire/sdk';
import { createContext, use, useMemo } from 'react';
import { giftwire } from './client.ts';
import type { Owner } from './owner.ts';

/** The person who has used the page so far. */
let reader: number | null = null;

/**
 * Who is signed in, and what they may do in which workspace. Null: no user is signed in. If another person
 * has signed in, the page is reloaded: they must not see what was read for the one before.
 */
export async function readMe(): Promise<Me | null> {
  const me = await giftwire.me.retrieve().catch((error) => {
    if (error instanceof GiftwireError && error.status === 401) return null;
    throw error;
  });
  const id = me?.user?.id ?? reader;
  if (reader !== null && id !== reader) {
    location.reload();
    return new Promise(() => {});
  }
  reader = id;
  return me;
}

interface Here {
  me: Me;
  workspace: MyWorkspace;
}

const Context = createContext<Here | null>(null);
export const HereProvider = Context;

/** Who is signed in and the workspace that the address names. */
export function useHere(): Here {
  const here = use(Context);
  if (!here) throw new Error('no user is signed in');
  return here;
}

/** The person who is signed in, as the owner of what this browser keeps for them in the workspace. */
export function useOwner(): Owner {
  const { me, workspace } = useHere();
  const [workspaceId, userId] = [workspace.id, me.user?.id ?? 0];
  return useMemo(() => ({ workspaceId, userId }), [workspaceId, userId]);
}

/** `can('gifts:manage')`: whether the role allows it here. What it does not allow is absent from the screen. */
export function useCan(): (scope: string) => boolean {
  const { workspace } = useHere();
  return (scope) => workspace.scopes.includes(scope);
}

/** The day that it is in the workspace, for example 2026-11-02. Reports count in its days. */
export function useToday(): string {
  return dayIn(useHere().workspace.timeZone);
}

export function dayIn(timeZone: string): string {
  // Canadian English writes days as 2026-11-02.
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
}
