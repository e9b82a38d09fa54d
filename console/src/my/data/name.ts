import { useHere } from './me.tsx';

/** What colleagues call the person who is signed in. */
export function useMyName(): string {
  return useHere().workspace.senderName;
}

/** How the person is greeted. */
export function useMyFirstName(): string {
  return useMyName().split(/\s+/)[0] ?? '';
}
