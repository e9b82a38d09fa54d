import { setTimeout as sleep } from 'node:timers/promises';
import { invalid } from '../../errors.ts';
import { ForbiddenAddress, findAllowedAddresses } from './connector.ts';
import type { Lookup } from './lookup.ts';
import type { Networks } from './networks.ts';

const longestLookUpMs = 3_000;

/**
 * Refuses an address that no delivery could go to. A name that does not resolve yet, or not within three seconds, is taken:
 * every delivery checks again where it connects to.
 */
export async function checkWebhookUrl(text: string, networks: Networks, lookup?: Lookup): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw refuse('must be an http or https address');
  if (url.username || url.password) throw refuse('must not hold a user name or password');
  const found = findAllowedAddresses(url.hostname, networks, lookup);
  try {
    await Promise.race([found, sleep(longestLookUpMs, undefined, { ref: false })]);
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw refuse(`cannot be used: ${error.message}`);
  }
}

function refuse(problem: string) {
  return invalid([{ path: 'url', problem }]);
}
