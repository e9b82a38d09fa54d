import type { CallOptions, Transport } from '../transport.ts';
import type { OutboxMailWithText, OutboxPage, OutboxQuery } from '../types.ts';

/** Sent emails, in the test environment. They have the links of gifts, so the token needs `gifts:manage`. */
export class Outbox {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The mails that were sent, the latest first. */
  async list(query: OutboxQuery = {}, { signal }: CallOptions = {}): Promise<OutboxPage> {
    return (await this.#transport.json<OutboxPage>({ method: 'GET', path: '/outbox', query, signal })).body;
  }

  /** What a mail says. */
  async get(id: string, { signal }: CallOptions = {}): Promise<OutboxMailWithText> {
    const path = `/outbox/${encodeURIComponent(id)}`;
    return (await this.#transport.json<OutboxMailWithText>({ method: 'GET', path, signal })).body;
  }
}
