import { Fault } from '../parts/fault.tsx';

/** A screen that could not be shown: what went wrong, in its place. */
export function ScreenFault({ error, reset }: { error: unknown; reset: () => void }) {
  return <Fault error={error} retry={reset} />;
}
