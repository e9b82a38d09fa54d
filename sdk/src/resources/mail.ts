import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { MailSetup, MailTest, MailTestResult } from '../types.ts';

/** How emails leave the installation. */
export class Mail extends Resource {
  /** Where emails go, and whether the mail server takes them. */
  retrieve(options: CallOptions = {}): Promise<MailSetup> {
    return this.call('GET /mail', {}, options);
  }

  /** Sends an email that says only that email works, at once, and returns what the mail server said. */
  test(test: MailTest, options: CallOptions = {}): Promise<MailTestResult> {
    return this.call('POST /mail/test', { body: test, once: true }, options);
  }

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
}
