import { useEffect, useEffectEvent } from 'react';

/**
 * Calls `begin` each time that a dialog opens, so that its form starts with what is true then and without the faults of the time before.
 * `opened` is what the dialog is open for; false or null while it is closed.
 */
export function useOpening<Opened>(opened: Opened, begin: (opened: NonNullable<Opened>) => void): void {
  const onOpen = useEffectEvent(begin);
  useEffect(() => {
    if (opened) onOpen(opened);
  }, [opened]);
}
