import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventRecord } from '../../src/ground/contract/event.ts';
import { cleanUp } from './cleanup.ts';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  event: EventRecord;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** The numbers of the events that arrived, in their sequence. */
  numbers(): number[];
  close(): Promise<void>;
}

/** A webhook's receiver on a real port. It answers 204 unless told otherwise. */
export async function startReceiver(
  answer: (received: Received, response: ServerResponse) => void = (_received, response) => {
    response.writeHead(204).end();
  },
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      const one = { headers: request.headers, body, event: JSON.parse(body) as EventRecord };
      received.push(one);
      answer(one, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  cleanUp(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    numbers: () => received.map(({ event }) => event.number),
    close,
  };
}
