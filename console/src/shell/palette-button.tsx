import { useHotkeys, useOs } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useWords } from '../words/words.tsx';
import styles from './frame.module.css';

const Palette = lazy(() => import('./palette.tsx'));

/** Opens the command palette, as Ctrl K does. The palette is loaded when it is first opened. */
export function PaletteButton() {
  const { frame } = useWords();
  const os = useOs();
  const [isOpen, setOpen] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const open = () => {
    setLoaded(true);
    setOpen(true);
  };
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <button
        type="button"
        className={styles.command}
        aria-haspopup="dialog"
        onClick={open}
        onPointerEnter={() => void import('./palette.tsx')}
      >
        <Icon name="find" />
        <span>{frame.search}</span>
        <kbd>{os === 'macos' ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      {isLoaded && (
        <Suspense>
          <Palette isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
