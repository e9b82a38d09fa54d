import { useHere } from '../data/me.tsx';
import { exactly, Go } from '../parts/link.tsx';
import { isOpenTo, type ScreenGroup, screens } from '../screens.ts';
import { useWords } from '../words/words.tsx';
import { usePath } from './path.ts';
import styles from './tabs.module.css';

const groups: readonly ScreenGroup[] = ['money', 'integrations', 'settings'];

/** The screens that belong together with the current one. */
export function Tabs() {
  const words = useWords();
  const { workspace } = useHere();
  const path = usePath();
  const group = groups.find((name) => `${path}/`.startsWith(`/${name}/`));
  if (!group) return null;
  const tabs = screens.filter(isOpenTo(workspace)).filter((screen) => screen.group === group);
  if (tabs.length < 2) return null;
  const current = tabs.findLast((screen) => `${path}/`.startsWith(`${screen.path}/`));
  return (
    <nav className={styles.tabs} aria-label={words.screens[group]}>
      {tabs.map((screen) => (
        <Go
          key={screen.path}
          to={screen.path}
          activeOptions={exactly}
          ref={screen === current ? showTab : undefined}
          aria-current={screen === current ? 'page' : undefined}
        >
          {words.screens[screen.name]}
        </Go>
      ))}
    </nav>
  );
}

/** On a phone the current tab may lie beside the screen. */
function showTab(tab: HTMLAnchorElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
