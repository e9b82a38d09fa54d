import { useNetwork } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useLiveEvents } from '../data/live.ts';
import { Icon } from '../parts/icon.tsx';
import { BelowTitle } from '../parts/page.tsx';
import { useWords } from '../words/words.tsx';
import styles from './frame.module.css';
import { Navigation } from './navigation.tsx';
import { Tabs } from './tabs.tsx';
import { Top } from './top.tsx';

/** What surrounds every screen: navigation, the bar at the top, and the tabs of screens that belong together. */
export function Frame() {
  const { frame } = useWords();
  useLiveEvents();
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of phones closes when one has arrived elsewhere
  useEffect(() => setOpen(false), [pathname]);
  return (
    <div className={styles.frame} data-open={isOpen || undefined}>
      <a href="#content" className={styles.skip}>
        {frame.skip}
      </a>
      <Navigation isOpen={isOpen} onClose={() => setOpen(false)} />
      <div className={styles.side}>
        <Top isOpen={isOpen} onMenu={() => setOpen(true)} />
        <main id="content" className={styles.main}>
          <Offline />
          <BelowTitle value={<Tabs />}>
            <Outlet />
          </BelowTitle>
        </main>
      </div>
    </div>
  );
}

/** Stays in sight while the browser has no connection. */
function Offline() {
  const { frame } = useWords();
  const { online } = useNetwork();
  if (online) return null;
  return (
    <p className={styles.offline} role="status">
      <Icon name="warn" size={16} />
      {frame.offline}
    </p>
  );
}
