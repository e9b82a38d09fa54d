import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { Bounce, BounceResult } from '../types.ts';

/** Emails about gifts that came back. */
export class Bounces extends Resource {
  /** Reports an email that came back: as facts, or as the text of the report (RFC 3464) that a mail server has sent. */
  report(bounce: Bounce | string, options: CallOptions = {}): Promise<BounceResult> {
    const content =
      typeof bounce === 'string' ? { raw: { type: 'message/rfc822', content: bounce } } : { body: bounce };
    return this.call('POST /bounces', content, options);
  }
}
