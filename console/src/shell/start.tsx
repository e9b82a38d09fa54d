import type { Me } from '@giftwire/sdk';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { basePath, workspaceId } from '../data/client.ts';
import { HereProvider, readMe } from '../data/me.tsx';
import { useFieldBack, useSignedIn } from '../data/signed-in.ts';
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
  const { known, isNoOne, error, refetch } = useSignedIn(readMe, isSigningIn);
  if (isSigningIn || (isNoOne && known === null)) return <SignIn onSignedIn={() => leaveSignIn(refetch)} />;
  if (known === null) return error ? <Unreachable error={error} retry={refetch} /> : null;
  return <Kept me={known} isSignedOut={isNoOne} onSignedIn={refetch} />;
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
  const noteField = useFieldBack(isSignedOut);
  return (
    <>
      <div
        className={isSignedOut ? undefined : styles.screens}
        hidden={isSignedOut}
        inert={isSignedOut}
        onFocusCapture={noteField}
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
