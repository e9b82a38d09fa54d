import ipaddr from 'ipaddr.js';
import { isWithin, type Network } from '../../../ground/values/network.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Where webhooks may go beside public addresses. */
export interface Networks {
  /** Loopback is for the test environment, where the receiver often runs on the developer's own machine. */
  allowsLoopback: boolean;
  /** Private ranges that the operator has opened. */
  opened: readonly Network[];
}

/** The networks that the service's settings allow. */
export function networksOf(settings: {
  environment: 'test' | 'production';
  webhookNetworks: readonly Network[];
}): Networks {
  return { allowsLoopback: settings.environment === 'test', opened: settings.webhookNetworks };
}

/**
 * Never connected to, also when an opened range has them: the addresses at which clouds hand credentials to their
 * machines. Most are link-local; these are not.
 */
const metadata = [
  '100.100.100.200/32', // Alibaba Cloud
  '168.63.129.16/32', // Azure
  '192.0.0.192/32', // Oracle Cloud
  'fd00:ec2::/32', // AWS
  'fd20:ce::/32', // Google Cloud
].map((range) => ipaddr.parseCIDR(range));

// IPv6 gives public addresses out of this range alone. The library also calls ::7f00:1 (127.0.0.1 in an old form) unicast.
const globalIPv6 = [ipaddr.parseCIDR('2000::/3')];

const notPublic = 'is not a public address: the operator can open private networks with GIFTWIRE_WEBHOOK_NETWORKS';

const neverRanges = new Set(['linkLocal', 'unspecified', 'broadcast', 'multicast']);

/** Why a webhook may not connect to this address, or null when it may. */
export function findAddressProblem(text: string, { allowsLoopback, opened }: Networks): string | null {
  if (!ipaddr.isValid(text)) return 'is not an IP address';
  // An IPv4 address written as IPv6 (::ffff:127.0.0.1) is judged as the IPv4 address that it reaches.
  const address = ipaddr.process(text);
  const range = address.range();
  if (neverRanges.has(range) || isWithin(address, metadata))
    return 'is link-local, a metadata service or no address of one machine';
  if (range === 'loopback') return allowsLoopback ? null : 'is a loopback address';
  return isPublic(address) || isWithin(address, opened) ? null : notPublic;
}

function isPublic(address: Address): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, globalIPv6));
}
