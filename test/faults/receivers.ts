import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import type { EventRecord } from '../../src/ground/contract/event.ts';
import type { WebhookWithSecret } from '../../src/ground/contract/webhook.ts';
import { eventually } from '../support/eventually.ts';
import type { Scope } from '../support/scope.ts';
import type { Client } from './client.ts';

/** A webhook with its receiver, which writes down what it was sent. */
export class Receiver {
  readonly id: number;
  readonly secrets: string[];
  /** How often each event was answered with 204, by number. */
  readonly taken = new Map<number, number>();
  /** Deliveries that the first secret does not verify. */
  unverified = 0;
  /** How many deliveries each of the secrets has verified. */
  readonly verified: number[] = [];
  readonly #client: Client;

  private constructor(client: Client, { id, secret }: WebhookWithSecret) {
    this.#client = client;
    this.id = id;
    this.secrets = [secret];
  }

  /** Opens a server, and has the service post the workspace's events to it. */
  static async open(scope: Scope, client: Client, answer: (response: ServerResponse) => boolean): Promise<Receiver> {
    let receiver: Receiver | null = null;
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const event = JSON.parse(body) as EventRecord;
      receiver?.verify(request.headers, body);
      if (answer(response)) receiver?.taken.set(event.number, (receiver.taken.get(event.number) ?? 0) + 1);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await scope.defer(async () => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    receiver = new Receiver(client, await ask<WebhookWithSecret>(client, '/api/v1/webhooks', { url }));
    return receiver;
  }

  async rotate(): Promise<void> {
    const { secret } = await ask<WebhookWithSecret>(this.#client, `/api/v1/webhooks/${this.id}/rotate`);
    this.secrets.push(secret);
  }

  /** For a day after the rotation, a receiver that still has the first secret must be able to verify every delivery. */
  verify(headers: IncomingHttpHeaders, body: string): void {
    for (const [nth, secret] of this.secrets.entries()) {
      if (verifies(secret, headers, body)) this.verified[nth] = (this.verified[nth] ?? 0) + 1;
      else if (nth === 0) this.unverified++;
    }
  }
}

function verifies(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  try {
    new Verifier(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** Repeated while the service is not there. */
async function ask<Answer>(client: Client, path: string, body?: object): Promise<Answer> {
  const headers = { ...client.headers(), ...(body && { 'Content-Type': 'application/json' }) };
  const request = { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await eventually(
    () => fetch(client.url + path, { ...request, signal: AbortSignal.timeout(10_000) }).catch(() => null),
    (response) => response?.ok === true,
    { withinMs: 60_000 },
  );
  return (await (answer as Response).json()) as Answer;
}

export const healthy = (response: ServerResponse) => {
  response.writeHead(204).end();
  return true;
};

/** Keeps the connection open and says nothing. */
export const hanging = () => false;

export const failsNowAndThen = (failsNow: () => boolean) => (response: ServerResponse) => {
  if (!failsNow()) return healthy(response);
  response.writeHead(500).end('Sorry.');
  return false;
};
