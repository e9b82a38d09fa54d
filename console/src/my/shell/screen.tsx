import { type ReactNode, useEffect, useRef } from 'react';
import { signOut } from '../../data/session.ts';
import { Face } from '../../parts/face.tsx';
import { Icon } from '../../parts/icon.tsx';
import { theCompany } from '../company.ts';
import { useCan, useIsKiosk } from '../data/me.tsx';
import { useMyName } from '../data/name.ts';
import { useWords } from '../words/words.tsx';
import { Company } from './company.tsx';
import { leaveKiosk } from './kiosk-end.ts';
import { goBack, Link } from './place.tsx';
import { type PlaceName, Places, WidePlaces } from './places.tsx';

interface ScreenProps {
  title: string;
  /** The place that it belongs to; absent: a step, which has no places below. */
  at?: PlaceName;
  /** Where Back leads for a person who came by a link; absent: a place, which has the company above. */
  back?: string;
  /** Two or three columns on wide screens. */
  isWide?: boolean;
  children: ReactNode;
}

/** A screen with what is above and below it. Its title gets the focus when one comes to it, so that it is read aloud. */
export function Screen({ title, at, back, isWide = false, children }: ScreenProps) {
  const { frame } = useWords();
  const isKiosk = useIsKiosk();
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = [title, theCompany?.name].filter(Boolean).join(' · ');
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className="app">
      <a className="skip pill" href="#main">
        {frame.skip}
      </a>
      <header className="top">
        {back !== undefined && (
          <button type="button" className="round back narrow" aria-label={frame.back} onClick={() => goBack(back)}>
            <Icon name="back" size={20} />
          </button>
        )}
        <Link className={back === undefined ? 'company' : 'company broad'} to="/">
          <Company />
        </Link>
        {back !== undefined && <b className="narrow here">{title}</b>}
        <WidePlaces at={at} />
        {isKiosk ? (
          <button type="button" className="pill" onClick={() => void leaveKiosk()}>
            {frame.signOut}
          </button>
        ) : (
          <Me />
        )}
      </header>
      <main id="main" ref={main} tabIndex={-1} className={isWide ? 'wide' : undefined}>
        {children}
      </main>
      {at && <Places at={at} />}
    </div>
  );
}

/** The way to one's own page; without places below, the way out. */
function Me() {
  const { frame } = useWords();
  const name = useMyName();
  const can = useCan();
  if (!can('feed:read'))
    return (
      <button type="button" className="pill" onClick={() => void signOut('/my')}>
        {frame.signOut}
      </button>
    );
  return (
    <Link className="round" to="/you" aria-label={frame.you}>
      <Face name={name} size={36} />
    </Link>
  );
}
