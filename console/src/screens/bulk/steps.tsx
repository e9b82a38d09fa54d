import { Icon } from '../../parts/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './bulk.module.css';

/** Where one is: upload, map and check, send. */
export function Steps({ current }: { current: 1 | 2 | 3 }) {
  const { bulk } = useWords();
  return (
    <ol className={styles.steps} aria-label={bulk.steps}>
      {[bulk.stepUpload, bulk.stepCheck, bulk.stepSend].map((name, index) => {
        const isDone = index + 1 < current;
        return (
          <li key={name} data-done={isDone || undefined} aria-current={index + 1 === current ? 'step' : undefined}>
            <span>{isDone ? <Icon name="ok" size={12} /> : index + 1}</span>
            {name}
          </li>
        );
      })}
    </ol>
  );
}
