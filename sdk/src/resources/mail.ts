import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { MailSetup, MailTest, MailTestResult } from '../types.ts';

/** How mails leave the installation. */
export class Mail extends Resource {
  /** Where mails go, and whether the mail server takes them. */
  get(options: CallOptions = {}): Promise<MailSetup> {
    return this.call('GET /mail', {}, options);
  }

  /** Sends a mail that says only that mail works, at once, and returns what the mail server said. */
  test(test: MailTest, options: CallOptions = {}): Promise<MailTestResult> {
    return this.call('POST /mail/test', { body: test, once: true }, options);
  }
}
