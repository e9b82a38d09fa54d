import { useEffect } from 'react';
import { signOut } from '../../data/session.ts';
import { base } from '../data/client.ts';

const quietMs = 60_000;

/** Signs out and opens the page of the shared screen, so that nothing stays on it. */
export async function leaveKiosk(): Promise<void> {
  // Without the service the session expires; what is on the screen goes now.
  await signOut(`${base}/kiosk`).catch(() => location.replace(`${base}/kiosk`));
}

/** At a shared screen: signs out after a minute without a touch or a key. */
export function useKioskEnd(isKiosk: boolean): void {
  useEffect(() => {
    if (!isKiosk) return;
    let timer = setTimeout(leaveKiosk, quietMs);
    const begin = () => {
      clearTimeout(timer);
      timer = setTimeout(leaveKiosk, quietMs);
    };
    const signs = ['pointerdown', 'keydown', 'scroll'] as const;
    for (const sign of signs) window.addEventListener(sign, begin, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of signs) window.removeEventListener(sign, begin);
    };
  }, [isKiosk]);
}
