import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of addresses: its base, and how many bits of it count. */
export type Network = [Address, number];

/** `10.0.0.0/8` as a network, or null. */
export function parseNetwork(text: string): Network | null {
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null;
}

export function isWithin(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

/** Whether an address as text is in one of the networks. An IPv4 address written as IPv6 (::ffff:10.0.0.1) is the IPv4 address. */
export function isTextWithin(address: string, networks: readonly Network[]): boolean {
  return ipaddr.isValid(address) && isWithin(ipaddr.process(address), networks);
}
