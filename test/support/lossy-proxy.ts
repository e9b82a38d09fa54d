import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { cleanUp } from './cleanup.ts';

export interface LossyProxy {
  url: string;
  /** How many answers were lost. */
  lost(): number;
}

/** A proxy between a caller and the service that loses the first answers: the service has sent them, the caller gets none. */
export async function startLossyProxy(serviceUrl: string, losses: number): Promise<LossyProxy> {
  const { hostname, port } = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  let lost = 0;
  const server = createServer((caller) => {
    const service = connect(Number(port), hostname);
    for (const socket of [caller, service]) sockets.add(socket.on('error', () => {}));
    caller.pipe(service);
    service.on('data', (bytes) => {
      if (lost >= losses) return void caller.write(bytes);
      lost++;
      caller.destroy();
      service.destroy();
    });
    caller.on('close', () => service.destroy());
    service.on('close', () => caller.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanUp(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lost: () => lost };
}
