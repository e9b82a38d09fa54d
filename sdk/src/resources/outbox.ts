import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { OutboxMailWithText, OutboxPage, OutboxQuery } from '../types.ts';

/** Sent emails, in the test environment. They have the links of gifts, so the token needs `gifts:manage`. */
export class Outbox extends Resource {
  /** The emails that were sent, the latest first. */
  list(query: OutboxQuery = {}, options: CallOptions = {}): Promise<OutboxPage> {
    return this.call('GET /outbox', { query }, options);
  }

  /** What an email says. */
  retrieve(id: string, options: CallOptions = {}): Promise<OutboxMailWithText> {
    return this.call('GET /outbox/{id}', { path: { id } }, options);
  }

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
}
