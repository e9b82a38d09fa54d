import { Button } from '@mantine/core';
import { useWords } from '../../words/words.tsx';
import styles from './approvals.module.css';

interface DecideButtonsProps {
  /** What is decided, for screen readers. */
  declineOf: string;
  approveOf: string;
  isApproving: boolean;
  onDecline: () => void;
  onApprove: () => void;
}

/** The two decisions about a row. */
export function DecideButtons({ declineOf, approveOf, isApproving, onDecline, onApprove }: DecideButtonsProps) {
  const { approvals: words } = useWords();
  return (
    <div className={styles.buttons}>
      <Button size="compact-md" variant="subtle" color="red" aria-label={declineOf} onClick={onDecline}>
        {words.decline}
      </Button>
      <Button size="compact-md" aria-label={approveOf} loading={isApproving} onClick={onApprove}>
        {words.approve}
      </Button>
    </div>
  );
}
