import { type FormEvent, useState } from 'react';

/** Runs what a form or a button asks for. What goes wrong is said where `error` is shown, and the form stays open. */
export function useSubmit(run: () => Promise<unknown>, onDone?: () => void) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await run();
      onDone?.();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { error, isBusy, submit, clear: () => setError(null) };
}
