import { Resource } from '../resource.ts';

/** Sent emails, in the test environment. They have the links of gifts, so the token needs `gifts:manage`. */
export class Outbox extends Resource {
  /** The emails that were sent, the latest first. */
  readonly list = this.method('GET /outbox', 'query');
  /** What an email says. */
  readonly retrieve = this.method('GET /outbox/{id}');
  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
}
