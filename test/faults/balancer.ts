import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Scope } from '../support/scope.ts';

export interface Balancer {
  /** The addresses that requests go to, in turn. One that accepts no connection is passed over. */
  use(urls: readonly string[]): void;
}

/** A load balancer in front of several nodes. A request that a node has begun to read is not sent to another one. */
export async function startBalancer(scope: Scope, url: string): Promise<Balancer> {
  let nodes: readonly string[] = [];
  let turn = 0;
  const pass = (incoming: IncomingMessage, body: Buffer, answer: ServerResponse, left: number) => {
    const node = nodes[turn++ % nodes.length];
    if (node === undefined || left === 0) return answer.destroy();
    const { method, headers, url: path } = incoming;
    const passed = request(node + path, { method, headers, agent: false });
    passed.on('response', (response) => {
      answer.writeHead(response.statusCode as number, response.headers);
      response.on('error', () => answer.destroy()).pipe(answer);
    });
    passed.on('error', ({ code }: NodeJS.ErrnoException) =>
      code === 'ECONNREFUSED' ? pass(incoming, body, answer, left - 1) : answer.destroy(),
    );
    passed.end(body);
  };
  const server = createServer(async (incoming, answer) => {
    const body = Buffer.concat(await incoming.toArray().catch(() => []));
    pass(incoming, body, answer, nodes.length);
  });
  // A connection that the balancer closes while a caller sends on it would look like a lost response.
  server.keepAliveTimeout = 0;
  server.listen(Number(new URL(url).port), '127.0.0.1');
  await once(server, 'listening');
  await scope.defer(async () => {
    server.close();
    server.closeAllConnections();
  });
  return {
    use(urls) {
      nodes = urls;
    },
  };
}
