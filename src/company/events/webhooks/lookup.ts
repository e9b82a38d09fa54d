import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Finds the addresses of a host. */
export type Lookup = (hostname: string) => Promise<string[]>;

const queryTimeoutMs = 1_500;
const tries = 2;

/**
 * Asks name servers itself. The look-up of the operating system (`dns.lookup`) runs in threads that look up two names at a
 * time for the whole process: two webhooks whose name servers do not answer would keep all others waiting.
 * Connections to one host share a look-up. `servers` are those of the system unless given.
 */
export function createLookup(servers?: readonly string[]): Lookup {
  const underWay = new Map<string, Promise<string[]>>();
  const begin = (hostname: string) => {
    const found = findAddresses(hostname, servers);
    const forget = () => underWay.delete(hostname);
    found.then(forget, forget);
    underWay.set(hostname, found);
    return found;
  };
  return (hostname) => underWay.get(hostname) ?? begin(hostname);
}

/** The look-up of this process. */
export const lookUpHost = createLookup();

/** In the sequence of the operating system: its file of hosts, then name servers. */
async function findAddresses(hostname: string, servers?: readonly string[]): Promise<string[]> {
  const written = await readHosts(hostname);
  if (written.length > 0) return written;
  return (await askServers(hostname, servers)) ?? askSystem(hostname);
}

async function readHosts(hostname: string): Promise<string[]> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  const lines = text.toLowerCase().split('\n');
  return lines.flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return isIP(address) > 0 && names.includes(hostname) ? [address] : [];
  });
}

/** Null if no server knows the name. */
async function askServers(hostname: string, servers?: readonly string[]): Promise<string[] | null> {
  // Each look-up has its own, because a resolver reads only once which servers the system has.
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries });
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  for (const answer of answers) if (answer.status === 'rejected' && !isUnknown(answer.reason)) throw answer.reason;
  return null;
}

/** Some name servers answer so to a name without a domain, which the system may know in a search domain. */
const unknown = ['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EREFUSED'];

function isUnknown({ code = '' }: NodeJS.ErrnoException): boolean {
  return unknown.includes(code);
}

let lastAsked: Promise<unknown> = Promise.resolve();

/** Knows search domains and other ways to name a host. One name at a time, so that a thread stays free for the rest of the process. */
function askSystem(hostname: string): Promise<string[]> {
  const found = lastAsked.then(() => lookup(hostname, { all: true }));
  lastAsked = found.catch(() => {});
  return found.then((all) => all.map(({ address }) => address));
}
