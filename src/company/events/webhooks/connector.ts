import { isIP, type Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { type Lookup, lookUpHost } from './lookup.ts';
import { findAddressProblem, type Networks } from './networks.ts';

export interface ConnectorOptions {
  networks: Networks;
  /** Replaced in tests, where names have to resolve to chosen addresses. */
  lookup?: Lookup;
  /** A certificate authority beside the system's own. */
  ca?: string;
}

const connectTimeoutMs = 10_000;
const keepAliveMs = 10_000;

/**
 * An HTTP client that checks every address before it connects. It resolves names here and connects to the checked address
 * itself, because a name that is resolved again may lead elsewhere (DNS rebinding). It follows no redirects.
 */
export function createGuardedAgent({ networks, lookup = lookUpHost, ca }: ConnectorOptions): Agent {
  const connectTo = buildConnector({ timeout: connectTimeoutMs, ...(ca && { ca }) });
  return new Agent({
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    connect(options, callback) {
      const connectToOne = (address: string) =>
        new Promise<Socket>((resolve, reject) => {
          connectTo({ ...options, hostname: address }, (error, socket) =>
            error ? reject(error) : resolve(socket as Socket),
          );
        });
      connectToFirst(options.hostname, networks, lookup, connectToOne).then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
    },
  });
}

async function connectToFirst(
  hostname: string,
  networks: Networks,
  lookup: Lookup,
  connectToOne: (address: string) => Promise<Socket>,
): Promise<Socket> {
  let lastError: unknown;
  for (const address of await findAllowedAddresses(hostname, networks, lookup)) {
    try {
      return await connectToOne(address);
    } catch (error) {
      lastError = error;
    }
  }
  throw lastError;
}

/** The addresses of a host. One that webhooks may not connect to refuses the host as a whole. */
export async function findAllowedAddresses(
  hostname: string,
  networks: Networks,
  lookup: Lookup = lookUpHost,
): Promise<string[]> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(literal) ? [literal] : await lookup(hostname);
  for (const address of addresses) {
    const problem = findAddressProblem(address, networks);
    if (problem !== null) throw new ForbiddenAddress(hostname, address, problem);
  }
  return addresses;
}

/** A webhook's host resolves to an address that webhooks may not connect to. */
export class ForbiddenAddress extends Error {
  constructor(hostname: string, address: string, problem: string) {
    super(hostname === address ? `${address} ${problem}` : `${hostname} resolves to ${address}, which ${problem}`);
    this.name = 'ForbiddenAddress';
  }
}
