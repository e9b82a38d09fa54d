import { sendMailTest } from '../../../../giving/delivery/mail-test.ts';
import { readPause } from '../../../../giving/delivery/send/pace.ts';
import { MailSetup, MailTest, MailTestResult, mailSchemas } from '../../../../ground/contract/mail.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { createTestMailLimit } from '../../limits/pace.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';

const mailRoutes: Routes = async (app, options) => {
  const { lookUps, people, mailServer, letterhead, directMail } = options;
  const limitTests = createTestMailLimit();

  operation(app, 'getMail', 'GET /', 'settings:read', {
    summary: 'Get how mail is sent',
    description: 'Where emails go, and whether the mail server takes them.',
    query: noQuery,
    returns: json('How emails leave this installation.', MailSetup),
    handler: async () => {
      const paused = await readPause(lookUps);
      return { ...setupOf(mailServer), from: letterhead().from, pausedUntil: paused?.toISOString() ?? null };
    },
  });

  operation(app, 'testMail', 'POST /test', 'settings:manage', {
    actsOutside: true,
    summary: 'Send a test email',
    description: 'Sends an email that says only that email works, at once, and answers with what the mail server said.',
    body: MailTest,
    returns: json('What has become of it.', MailTestResult),
    handler: async ({ workspaceId, actor, body: { to } }) => {
      await limitTests(`workspace ${workspaceId}`);
      return sendMailTest({ people, directMail, letterhead: letterhead() }, actor, workspaceId, to);
    },
  });
};

/** The URL of the mail server has its password, so only host and port are shown. */
function setupOf(mailServer: string): Pick<MailSetup, 'delivery' | 'server'> {
  if (mailServer === 'off') return { delivery: 'OFF', server: null };
  if (mailServer === 'outbox') return { delivery: 'OUTBOX', server: null };
  return { delivery: 'SMTP', server: new URL(mailServer).host };
}

export const mail: Resource = {
  prefix: '/mail',
  tag: { name: 'Mail', description: 'How emails leave this installation.' },
  schemas: mailSchemas,
  routes: mailRoutes,
};
