import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from './cleanup.ts';

export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What the server does with a request. */
export type Act = (response: ServerResponse) => void;

export interface ScriptedServer {
  url: string;
  asked: Asked[];
}

/** A server that answers one request after the other as the script says, and the rest as its last line does. */
export async function startScriptedServer(...script: Act[]): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const act = script[Math.min(asked.length, script.length - 1)] as Act;
    const { method = '', url: path = '', headers } = request;
    asked.push({ method, path, headers, body: Buffer.concat(pieces).toString() });
    act(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanUp(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Answers with JSON, or with text as it is. */
export function answering(status: number, body: unknown = '', headers: Record<string, string> = {}): Act {
  return (response) => response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Closes the connection without an answer. */
export const hangUp: Act = (response) => void response.destroy();

/** Never answers. */
export const stayQuiet: Act = () => {};

/** The service's own error answer. */
export function refusing(status: number, message: string, headers: Record<string, string> = {}): Act {
  const type = status >= 500 ? 'server_error' : [401, 403, 429].includes(status) ? 'security_error' : 'invalid_field';
  return answering(status, { status, message, type }, { 'X-Request-Id': 'req-1', ...headers });
}
