import { GiftwireError } from '@giftwire/sdk';
import { createContext, use } from 'react';

/** Who is signed in, and what they may do in which workspace. */
export interface Me {
  user: { id: number; email: string; name: string; language: string | null } | null;
  token: { id: number; name: string } | null;
  environment: 'test' | 'production';
  workspaces: MyWorkspace[];
}

export interface MyWorkspace {
  id: number;
  name: string;
  role: string | null;
  scopes: string[];
  memberId: number | null;
  currency: string;
}

/** Null: nobody is signed in. */
export async function readMe(): Promise<Me | null> {
  const answer = await fetch('/api/v1/me', { headers: { Accept: 'application/json' } });
  if (answer.status === 401) return null;
  if (!answer.ok) throw new GiftwireError('server_error', await answer.text(), { status: answer.status });
  return (await answer.json()) as Me;
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
  if (!here) throw new Error('nobody is signed in');
  return here;
}

/** `can('gifts:manage')`: whether the role allows it here. What it does not allow is absent from the screen. */
export function useCan(): (scope: string) => boolean {
  const { workspace } = useHere();
  return (scope) => workspace.scopes.includes(scope);
}
