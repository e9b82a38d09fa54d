import type { CallOptions, Transport } from '../transport.ts';
import type { Bounce, BounceResult } from '../types.ts';

/** Mails about gifts that came back. */
export class Bounces {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Reports a mail that came back: as facts, or as the text of the report (RFC 3464) that a mail server has sent. */
  async report(bounce: Bounce | string, { signal }: CallOptions = {}): Promise<BounceResult> {
    const content =
      typeof bounce === 'string' ? { raw: { type: 'message/rfc822', content: bounce } } : { body: bounce };
    return (await this.#transport.json<BounceResult>({ method: 'POST', path: '/bounces', ...content, signal })).body;
  }
}
