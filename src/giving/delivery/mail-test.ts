import { randomUUID } from 'node:crypto';
import type { Letterhead } from './message.ts';
import { messageIdOf } from './message-id.ts';
import type { OutgoingMail } from './transport.ts';

/** A mail that says only that mail works. It belongs to no gift: one that comes back changes nothing. */
export function writeMailTest({ from, publicUrl }: Letterhead, to: string): OutgoingMail {
  return {
    messageId: messageIdOf(`test.${randomUUID()}`, from),
    envelope: { from, to },
    from: { name: 'Giftwire', address: from },
    to,
    subject: 'Mail from Giftwire arrives',
    text: `Somebody has tried out the mail of Giftwire at ${publicUrl}.\n\nThat you read this means that it works. There is nothing to do.\n`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}
