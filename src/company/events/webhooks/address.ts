import { setTimeout as sleep } from 'node:timers/promises';
import { invalid } from '../../../ground/errors.ts';
import { urlProblem } from '../../../ground/values/url.ts';
import { ForbiddenAddress, findAllowedAddresses } from './connector.ts';
import type { Lookup } from './lookup.ts';
import type { Networks } from './networks.ts';

const longestLookUpMs = 3_000;

/**
 * Refuses an address that no delivery could go to. A name that does not resolve yet, or not within three seconds, is taken:
 * every delivery checks again where it connects to.
 */
export async function checkWebhookUrl(text: string, networks: Networks, lookup?: Lookup): Promise<void> {
  const problem = urlProblem(text, 'web');
  if (problem !== null) throw refuse(problem);
  const found = findAllowedAddresses(new URL(text).hostname, networks, lookup);
  try {
    await Promise.race([found, sleep(longestLookUpMs, undefined, { ref: false })]);
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw refuse(`cannot be used: ${error.message}`);
  }
}

function refuse(problem: string) {
  return invalid([{ path: 'url', problem }]);
}
