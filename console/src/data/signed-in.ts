import { type Giftwire, GiftwireError, type Me, type MyWorkspace } from '@giftwire/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type FocusEvent, use, useEffect, useRef, useState } from 'react';
import { sessionEnded } from './open-api.ts';

/**
 * Asks who is signed in, and what they may do in which workspace. Null: no one. If another person has signed in, the page is loaded again: they must not
 * see what was read for the one before. `personOf` says who it is.
 */
export function meReader(giftwire: Giftwire, personOf: (me: Me) => string | undefined): () => Promise<Me | null> {
  let reader: string | undefined;
  return async () => {
    const me = await giftwire.me.retrieve().catch((error) => {
      if (error instanceof GiftwireError && error.status === 401) return null;
      throw error;
    });
    const person = (me && personOf(me)) ?? reader;
    if (reader !== undefined && person !== reader) {
      location.reload();
      return new Promise(() => {});
    }
    reader = person;
    return me;
  };
}

/** Who is signed in, asked again when the session has ended. `known` stays who it was last, on this page. */
export function useSignedIn(readMe: () => Promise<Me | null>, isSigningIn: boolean) {
  const me = useQuery({
    queryKey: ['me'],
    queryFn: readMe,
    staleTime: Number.POSITIVE_INFINITY,
    // Another person may have signed in meanwhile, in another tab.
    refetchOnWindowFocus: 'always',
    enabled: !isSigningIn,
  });
  const { refetch } = me;
  useEffect(() => {
    const ask = () => void refetch();
    window.addEventListener(sessionEnded, ask);
    return () => window.removeEventListener(sessionEnded, ask);
  }, [refetch]);
  const known = useLastKnown(me.data);
  return { known, isNoOne: me.data === null, error: me.error, refetch: () => void refetch() };
}

/** The same object while nothing about them changes: another one would create all screens again. */
function useLastKnown(me: Me | null | undefined): Me | null {
  const [known, setKnown] = useState<Me | null>(null);
  const isNew = me && JSON.stringify(me) !== JSON.stringify(known);
  if (isNew) setKnown(me);
  return isNew ? me : known;
}

/** After a person has signed in again, the screen reads everything again, and the focus returns to the field where it was. Returns the function that notes the field. */
export function useFieldBack(isSignedOut: boolean) {
  const queries = useQueryClient();
  const field = useRef<Element | null>(null);
  const wasOut = useRef(false);
  useEffect(() => {
    if (wasOut.current && !isSignedOut) {
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
      if (field.current instanceof HTMLElement) field.current.focus();
    }
    wasOut.current = isSignedOut;
  }, [isSignedOut, queries]);
  return ({ target }: FocusEvent) => {
    field.current = target;
  };
}

/** The secret of the sign-in link that the address carries; empty: none. And what forgets it. */
export function useLinkInAddress(): [string, () => void] {
  const [link, setLink] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const take = () => {
      if (!location.hash) return;
      setLink(location.hash.slice(1));
      // So that the link is neither in the history nor on a screenshot.
      history.replaceState(null, '', location.pathname);
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  return [link, () => setLink('')];
}

interface Here {
  me: Me;
  workspace: MyWorkspace;
}

const Context = createContext<Here | null>(null);
export const HereProvider = Context;

/** Who is signed in, and the workspace that the address names. */
export function useHere(): Here {
  const here = use(Context);
  if (!here) throw new Error('no one is signed in');
  return here;
}

/** `can('gifts:manage')`: whether the role allows it here. What it does not allow is absent from the screen. */
export function useCan(): (scope: string) => boolean {
  const { workspace } = useHere();
  return (scope) => workspace.scopes.includes(scope);
}
