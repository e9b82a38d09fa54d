import { randomUUID } from 'node:crypto';
import { audit } from '../../company/workspaces/audit.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { MailTestResult } from '../../ground/contract/mail.ts';
import type { Database } from '../../ground/database/database.ts';
import { fixedHeaders, type Letterhead } from './compose/message.ts';
import { messageIdOf } from './compose/message-id.ts';
import type { DirectMail } from './send/direct-mail.ts';
import type { OutgoingMail } from './send/transport.ts';

/** Sends an email at once that says only that email works. The entry says who asked for it, also if it does not arrive. */
export async function sendMailTest(
  {
    people,
    directMail,
    letterhead,
  }: { people: Database; directMail: Pick<DirectMail, 'send'>; letterhead: Letterhead },
  actor: Actor,
  workspaceId: number,
  to: string,
): Promise<MailTestResult> {
  await people.transaction((tx) => audit(tx, { workspaceId, actor, action: 'mail.tested', detail: { to } }));
  return { to, ...(await directMail.send(writeMailTest(letterhead, to))) };
}

/** An email that says only that email works. It belongs to no gift: one that comes back changes nothing. */
function writeMailTest({ from, publicUrl }: Letterhead, to: string): OutgoingMail {
  return {
    messageId: messageIdOf(`test.${randomUUID()}`, from),
    envelope: { from, to },
    from: { name: 'Giftwire', address: from },
    to,
    subject: 'Mail from Giftwire arrives',
    text: `This is a test email from Giftwire at ${publicUrl}.\n\nEmail works. You do not need to do anything.\n`,
    headers: fixedHeaders,
  };
}
