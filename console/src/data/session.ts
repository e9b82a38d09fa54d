/** Ends the session on the service, then forgets everything that the page has read. */
export async function signOut(): Promise<void> {
  await fetch('/session/sign-out', { method: 'POST' });
  location.replace('/');
}
