import type { Me } from '@giftwire/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { basePath, sessionEnded, workspaceId } from '../data/client.ts';
import { HereProvider, readMe } from '../data/me.tsx';
import { Empty } from '../parts/empty.tsx';
import { Fault } from '../parts/fault.tsx';
import { Wordmark } from '../parts/icon.tsx';
import { SignIn } from '../screens/sign-in/sign-in.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { createScreens } from './router.tsx';
import styles from './start.module.css';

const kept = 'giftwire.workspace';

/** Asks who is signed in: then come the sign-in page, or the screens of a workspace. */
export function Start() {
  // A link or an error in the URL comes first, also for a signed-in user.
  const isAsked = location.pathname === '/sign-in' && (location.hash !== '' || location.search !== '');
  const [isSigningIn] = useState(isAsked);
  const me = useQuery({
    queryKey: ['me'],
    queryFn: readMe,
    staleTime: Number.POSITIVE_INFINITY,
    // Another user may have signed in meanwhile, in another tab.
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
  if (isSigningIn || (me.data === null && known === null)) return <SignIn onSignedIn={() => leaveSignIn(refetch)} />;
  if (known === null) return me.error ? <Unreachable error={me.error} retry={() => void refetch()} /> : null;
  return <Kept me={known} isSignedOut={me.data === null} onSignedIn={() => void refetch()} />;
}

/** Who was signed in last, on this page: the same object while nothing about them changes, because another one would create all screens again. */
function useLastKnown(me: Me | null | undefined): Me | null {
  const [known, setKnown] = useState<Me | null>(null);
  const isNew = me && JSON.stringify(me) !== JSON.stringify(known);
  if (isNew) setKnown(me);
  return isNew ? me : known;
}

/** The page of a service that does not respond. */
function Unreachable({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <main className={styles.unreachable}>
      <Wordmark />
      <Fault error={error} retry={retry} />
    </main>
  );
}

interface KeptProps {
  me: Me;
  isSignedOut: boolean;
  onSignedIn: () => void;
}

/**
 * The screens of a workspace. When the session has ended, they stay as they are behind the sign-in page, so that everything typed is still there, and
 * the focus returns to the same field. Another user who signs in gets a new page: readMe.
 */
function Kept({ me, isSignedOut, onSignedIn }: KeptProps) {
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
  return (
    <>
      <div
        className={isSignedOut ? undefined : styles.screens}
        hidden={isSignedOut}
        inert={isSignedOut}
        onFocusCapture={({ target }) => {
          field.current = target;
        }}
      >
        <Workspace me={me} />
      </div>
      {isSignedOut && (
        <div className={styles.over}>
          <SignIn onSignedIn={onSignedIn} isSignedOut />
        </div>
      )}
    </>
  );
}

/** A user who opened the URL of a screen gets that screen, others their workspace. Another user than before gets a new page: readMe. */
function leaveSignIn(refetch: () => void): void {
  if (workspaceId === null) location.replace('/');
  else refetch();
}

function Workspace({ me }: { me: Me }) {
  const { frame } = useWords();
  const { suggest } = useLanguage();
  const workspace = me.workspaces.find(({ id }) => id === workspaceId);
  const router = useMemo(() => workspace && createScreens(workspace), [workspace]);
  const here = useMemo(() => workspace && { me, workspace }, [me, workspace]);
  const first = workspaceId === null ? firstWorkspace(me) : undefined;
  const language = me.user?.language;
  useEffect(() => {
    if (language) suggest(language);
  }, [language, suggest]);
  useEffect(() => {
    if (workspace) localStorage.setItem(kept, String(workspace.id));
    if (first !== undefined) location.replace(`${basePath(first)}/`);
  }, [workspace, first]);
  if (router && here)
    return (
      <HereProvider value={here}>
        <RouterProvider router={router} />
      </HereProvider>
    );
  if (first !== undefined) return null;
  return me.workspaces.length === 0 ? (
    <Empty title={frame.noWorkspace}>{frame.noWorkspaceText}</Empty>
  ) : (
    <Empty title={frame.notFound} action={<a href="/">{frame.toHome}</a>}>
      {frame.notFoundText}
    </Empty>
  );
}

function firstWorkspace({ workspaces }: Me): number | undefined {
  const last = Number(localStorage.getItem(kept));
  return (workspaces.find(({ id }) => id === last) ?? workspaces[0])?.id;
}
