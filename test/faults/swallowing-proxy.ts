import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Scope } from '../support/scope.ts';

export interface SwallowingProxy {
  url: string;
  /** How many of the next answers are dropped; the client's connection is closed instead. */
  swallow(count: number): void;
  /** The dropped answers. */
  swallowed: string[];
}

/** A proxy between client and service. A dropped answer had left the service, so it was committed. */
export async function startSwallowingProxy(scope: Scope, serviceUrl: string): Promise<SwallowingProxy> {
  const { hostname, port } = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  const swallowed: string[] = [];
  let left = 0;
  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (chunk) => service.write(chunk));
    service.on('data', (chunk) => {
      if (left <= 0) return void client.write(chunk);
      left--;
      swallowed.push(chunk.toString('utf8'));
      client.destroy();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await scope.defer(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallow: (count) => {
      left = count;
    },
    swallowed,
  };
}
