import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { cleanUp } from './cleanup.ts';

export interface Proxy {
  url: string;
  /** `refuses` closes every connection at once, `hangs` accepts bytes and forwards none, `serves` forwards everything. */
  become(mode: Mode): void;
}

type Mode = 'serves' | 'refuses' | 'hangs';

/** A proxy between the service and its database, to make the database unreachable in several ways. */
export async function startProxy(databaseUrl: string, onSent: (bytes: Buffer) => void = () => {}): Promise<Proxy> {
  const { username, pathname, searchParams } = new URL(databaseUrl);
  const path = `${searchParams.get('host')}/.s.PGSQL.5432`;
  const sockets = new Set<Socket>();
  let mode: Mode = 'serves';
  const join = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (chunk) => mode === 'serves' && to.write(chunk));
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (mode === 'refuses') return void client.destroy();
    const upstream = connect(path);
    client.on('data', onSent);
    join(client, upstream);
    join(upstream, client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanUp(async () => {
    server.close();
    drop();
  });
  return {
    url: `postgres://${username}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    become(next) {
      // A connection that hung has lost bytes, so it is closed: only new connections work.
      if (next !== 'hangs') drop();
      mode = next;
    },
  };
}
