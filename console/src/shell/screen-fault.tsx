import { Fault } from '../parts/fault.tsx';
import { loadFailedAgain } from './lazy-screen.tsx';

/** A screen that could not be shown: what went wrong, in its place. */
export function ScreenFault({ error, reset }: { error: unknown; reset: () => void }) {
  const retry = () => {
    loadFailedAgain();
    reset();
  };
  return <Fault error={error} retry={retry} />;
}
