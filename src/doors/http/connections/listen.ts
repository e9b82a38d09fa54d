import cluster from 'node:cluster';
import { Failure } from '../../../ground/errors.ts';

export interface Address {
  host: string;
  port: number;
}

/**
 * On Linux each of several processes listens at the same address, and the operating system distributes the connections. No process
 * stands in between, and the connections of a process that dies are reset instead of hanging. Elsewhere Node's cluster
 * module distributes them.
 */
export function listenOptions({ host, port }: Address) {
  const isShared = cluster.isWorker && process.platform === 'linux';
  return { host, port, ...(isShared && { exclusive: true, reusePort: true }) };
}

export function listenFailure(error: NodeJS.ErrnoException, { host, port }: Address): unknown {
  if (error.code === 'EADDRINUSE')
    return new Failure('setup', `Port ${port} on ${host} is taken: stop what uses it, or set PORT to another.`);
  if (error.code === 'EACCES')
    return new Failure('setup', `Port ${port} may not be used by this user: set PORT to one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Failure('setup', `HOST ${host} is not an address of this machine.`);
  return error;
}
