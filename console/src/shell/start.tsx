import type { Me } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { basePath, workspaceId } from '../data/client.ts';
import { HereProvider, readMe } from '../data/me.tsx';
import { sessionEnded } from '../data/queries.ts';
import { Empty } from '../parts/empty.tsx';
import { Fault } from '../parts/fault.tsx';
import { SignIn } from '../screens/sign-in/sign-in.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { createScreens } from './router.tsx';

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
  if (isSigningIn || me.data === null) return <SignIn onSignedIn={() => leaveSignIn(refetch)} />;
  if (me.error) return <Fault error={me.error} retry={() => void refetch()} />;
  return me.data ? <Workspace me={me.data} /> : null;
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
