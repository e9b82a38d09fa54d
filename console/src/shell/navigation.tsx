import { useEffect, useRef } from 'react';
import { useHere } from '../data/me.tsx';
import { Icon, type IconName, Wordmark } from '../parts/icon.tsx';
import { exactly, Go } from '../parts/link.tsx';
import { isOpenTo, type Screen, type ScreenGroup, screens } from '../screens.ts';
import { useWords, type Words } from '../words/words.tsx';
import { useCounts } from './counts.ts';
import styles from './frame.module.css';
import { usePath } from './path.ts';

interface Entry {
  path: string;
  name: keyof Words['screens'];
  icon: IconName;
  /** The entry is the current one below each of these. */
  below: readonly string[];
}

const groups: Record<ScreenGroup, { icon: IconName; place: 'main' | 'foot' }> = {
  money: { icon: 'coin', place: 'main' },
  integrations: { icon: 'plug', place: 'foot' },
  settings: { icon: 'gear', place: 'foot' },
};

/** The main screens, and integrations and settings at the foot. On a phone it opens over the screen. */
export function Navigation({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { frame } = useWords();
  const { workspace } = useHere();
  const open = screens.filter(isOpenTo(workspace));
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    nav.current?.querySelector('a')?.focus();
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && onClose();
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, [isOpen, onClose]);
  return (
    <>
      <nav ref={nav} id="navigation" className={styles.nav} aria-label={frame.navigation}>
        <Go to="/" className={styles.word} aria-label={frame.home}>
          <Wordmark />
        </Go>
        <Entries entries={[...mainEntries(open), ...groupEntries(open, 'main')]} />
        <div className={styles.foot}>
          <Entries entries={groupEntries(open, 'foot')} />
        </div>
      </nav>
      {isOpen && <button type="button" className={styles.shade} onClick={onClose} tabIndex={-1} aria-hidden="true" />}
    </>
  );
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  const words = useWords();
  const counts = useCounts();
  const path = usePath();
  const isBelow = (parent: string) => path === parent || (parent !== '/' && path.startsWith(`${parent}/`));
  return (
    <ul>
      {entries.map(({ path: to, name, icon, below }) => (
        <li key={to}>
          <Go to={to} activeOptions={exactly} aria-current={below.some(isBelow) ? 'page' : undefined}>
            <Icon name={icon} />
            {words.screens[name]}
            {counts[name] && <span className={styles.count}>{counts[name]}</span>}
          </Go>
        </li>
      ))}
    </ul>
  );
}

function mainEntries(open: readonly Screen[]): Entry[] {
  return open
    .filter(({ place }) => place === 'main')
    .map(({ path, name, icon }) => ({ path, name, icon, below: name === 'gifts' ? [path, '/orders'] : [path] }));
}

/** A group opens the first of its screens that the role opens. */
function groupEntries(open: readonly Screen[], place: 'main' | 'foot'): Entry[] {
  const names = (Object.keys(groups) as ScreenGroup[]).filter((name) => groups[name].place === place);
  return names.flatMap((name) => {
    const [first] = open.filter(({ group }) => group === name);
    return first ? [{ path: first.path, name, icon: groups[name].icon, below: [`/${name}`] }] : [];
  });
}
