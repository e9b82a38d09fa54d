/** An id that nothing else has, for the key of something that is done at most once. No crypto.randomUUID: browsers have it on https alone. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
