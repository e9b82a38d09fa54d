import ipaddr from 'ipaddr.js';

/** A range of addresses: its base, and how many bits of it count. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** `10.0.0.0/8` as a network, or null. */
export function parseNetwork(text: string): Network | null {
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null;
}
