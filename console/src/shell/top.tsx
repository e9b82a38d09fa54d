import { ActionIcon } from '@mantine/core';
import { useCan, useHere } from '../data/me.tsx';
import { Icon } from '../parts/icon.tsx';
import { GoButton } from '../parts/link.tsx';
import { useWords } from '../words/words.tsx';
import { AccountMenu } from './account-menu.tsx';
import styles from './frame.module.css';
import { PaletteButton } from './palette-button.tsx';
import { WorkspaceMenu } from './workspace-menu.tsx';

export function Top({ isOpen, onMenu }: { isOpen: boolean; onMenu: () => void }) {
  const { frame } = useWords();
  const { me } = useHere();
  const can = useCan();
  return (
    <header className={styles.top}>
      <ActionIcon
        className={styles.menu}
        size={44}
        aria-label={frame.menu}
        aria-expanded={isOpen}
        aria-controls="navigation"
        onClick={onMenu}
      >
        <Icon name="menu" />
      </ActionIcon>
      <div className={styles.where}>
        <WorkspaceMenu />
        {me.environment === 'test' && (
          <span className={styles.environment} title={frame.testMeaning}>
            {frame.test}
          </span>
        )}
      </div>
      <PaletteButton />
      {can('orders:write') && (
        <GoButton to="/send" variant="filled" className={styles.send} leftSection={<Icon name="plane" />}>
          <span className={styles.onWide}>{frame.sendGift}</span>
        </GoButton>
      )}
      <AccountMenu />
    </header>
  );
}
