import type { Me } from '@giftwire/sdk';
import { useEffect, useMemo, useState } from 'react';
import { useFieldBack, useSignedIn } from '../../data/signed-in.ts';
import { baseOf, workspaceId } from '../data/client.ts';
import { HereProvider, readMe } from '../data/me.tsx';
import { Empty } from '../parts/empty.tsx';
import { Fault } from '../parts/fault.tsx';
import { Kiosk } from '../screens/sign-in/kiosk.tsx';
import { SignIn } from '../screens/sign-in/sign-in.tsx';
import { Tv } from '../screens/tv/tv.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { App } from './app.tsx';
import { usePlace } from './place.tsx';
import { Plain } from './plain.tsx';

const kept = 'giftwire.my.workspace';

/** Asks who is signed in: then come the sign-in page, or the screens of a workspace. */
export function Start() {
  const { path } = usePlace();
  // A screen on a wall shows what its link lets it show, and no one signs in.
  return path === '/tv' ? <Tv /> : <SignedIn path={path} />;
}

function SignedIn({ path }: { path: string }) {
  // A link or an error in the address comes first, also for a person who is signed in.
  const [isSigningIn] = useState(path === '/sign-in' && (location.hash !== '' || location.search !== ''));
  const { known, isNoOne, error, refetch } = useSignedIn(readMe, isSigningIn);
  const enter = () => (workspaceId === null || path === '/sign-in' ? location.replace('/my') : refetch());
  if (isNoOne && known === null && path === '/kiosk') return <Kiosk />;
  if (isSigningIn || (isNoOne && known === null)) return <SignIn onSignedIn={enter} />;
  if (known === null) return error ? <Unreachable error={error} retry={refetch} /> : null;
  return <Kept me={known} isSignedOut={isNoOne} onSignedIn={refetch} />;
}

/** The page of a service that does not respond. */
function Unreachable({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <Plain>
      <Fault error={error} retry={retry} />
    </Plain>
  );
}

interface KeptProps {
  me: Me;
  isSignedOut: boolean;
  onSignedIn: () => void;
}

/**
 * The screens of a workspace. When the session has ended, they stay as they are behind the sign-in page, so that everything typed is still there, and
 * the focus returns to the same field. Another person who signs in gets a new page: readMe.
 */
function Kept({ me, isSignedOut, onSignedIn }: KeptProps) {
  const noteField = useFieldBack(isSignedOut);
  return (
    <>
      <div hidden={isSignedOut} inert={isSignedOut} onFocusCapture={noteField}>
        <Workspace me={me} />
      </div>
      {isSignedOut && <SignIn onSignedIn={onSignedIn} isSignedOut />}
    </>
  );
}

function Workspace({ me }: { me: Me }) {
  const { frame } = useWords();
  const { suggest } = useLanguage();
  const workspace = me.workspaces.find(({ id }) => id === workspaceId);
  const first = firstWorkspace(me);
  const here = useMemo(() => workspace && { me, workspace }, [me, workspace]);
  const language = me.user?.language;
  useEffect(() => {
    if (language) suggest(language);
  }, [language, suggest]);
  useEffect(() => {
    if (workspace) localStorage.setItem(kept, String(workspace.id));
    else if (workspaceId === null && first) location.replace(baseOf(first.id) + location.search);
  }, [workspace, first]);
  if (here)
    return (
      <HereProvider value={here}>
        <App />
      </HereProvider>
    );
  if (!first)
    return (
      <Plain>
        <Empty isPage title={frame.noWorkspaceTitle}>
          {frame.noWorkspaceText}
        </Empty>
      </Plain>
    );
  if (workspaceId === null) return null;
  return (
    <Plain>
      <Empty
        isPage
        title={frame.noAccessTitle}
        action={
          <a className="button" href={baseOf(first.id)}>
            {frame.goTo(first.name)}
          </a>
        }
      >
        {frame.noAccessText}
      </Empty>
    </Plain>
  );
}

/** The workspace that was used last in this browser, else the first. */
function firstWorkspace({ workspaces }: Me) {
  const last = Number(localStorage.getItem(kept));
  return workspaces.find(({ id }) => id === last) ?? workspaces[0];
}
