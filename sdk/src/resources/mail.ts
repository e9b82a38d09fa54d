import type { CallOptions, Transport } from '../transport.ts';
import type { MailSetup, MailTest, MailTestResult } from '../types.ts';

/** How mails leave the installation. */
export class Mail {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Where mails go, and whether the mail server takes them. */
  async get({ signal }: CallOptions = {}): Promise<MailSetup> {
    return (await this.#transport.json<MailSetup>({ method: 'GET', path: '/mail', signal })).body;
  }

  /** Sends a mail that says only that mail works, at once, and returns what the mail server said. */
  async test(test: MailTest, { signal }: CallOptions = {}): Promise<MailTestResult> {
    const call = { method: 'POST', path: '/mail/test', body: test, once: true, signal } as const;
    return (await this.#transport.json<MailTestResult>(call)).body;
  }
}
