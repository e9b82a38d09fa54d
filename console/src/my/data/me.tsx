import { meReader, useHere } from '../../data/signed-in.ts';
import { giftwire } from './client.ts';

export { HereProvider, useCan, useHere } from '../../data/signed-in.ts';

/** An employee is no user: they are their records. */
export const readMe = meReader(giftwire, ({ workspaces }) =>
  workspaces.map(({ id, memberId }) => `${id}:${memberId}`).join(' '),
);

/** Whether the person stands at a shared screen, where nothing may stay. */
export function useIsKiosk(): boolean {
  return useHere().me.session?.way === 'KIOSK';
}
