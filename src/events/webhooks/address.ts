import { invalid } from '../../errors.ts';
import { ForbiddenAddress, findAllowedAddresses, type Lookup } from './connector.ts';
import type { Networks } from './networks.ts';

/**
 * Refuses an address that no delivery could go to. A name that does not resolve yet is taken: every delivery checks
 * again where it connects to.
 */
export async function checkWebhookUrl(text: string, networks: Networks, lookup?: Lookup): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw refuse('must be an http or https address');
  if (url.username || url.password) throw refuse('must not hold a user name or password');
  try {
    await findAllowedAddresses(url.hostname, networks, lookup);
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw refuse(`cannot be used: ${error.message}`);
  }
}

function refuse(problem: string) {
  return invalid([{ path: 'url', problem }]);
}
