import { Resource } from '../resource.ts';

/** How emails leave the installation. */
export class Mail extends Resource {
  /** Where emails go, and whether the mail server takes them. */
  readonly retrieve = this.method('GET /mail');
  /** Sends an email that says only that email works, at once, and returns what the mail server said. */
  readonly test = this.method('POST /mail/test', 'body', { once: true });
  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
}
