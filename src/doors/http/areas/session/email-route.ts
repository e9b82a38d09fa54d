import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { makeLinksOf } from '../../../../company/access/emailed-links.ts';
import { signInAddress } from '../../../../company/access/sessions.ts';
import { type UserMails, writeSignInMail } from '../../../../giving/delivery/sign-in-mail.ts';
import { createEmailedLinkLimit } from '../../limits/pace.ts';
import type { SessionOptions } from './options.ts';

/**
 * Emails a sign-in link. The response comes before anything is looked up, so neither its content nor its time tells whether an address is
 * known, and the limits count known and unknown addresses alike.
 */
export function serveEmailedLinks(app: FastifyInstance, options: SessionOptions, mails: UserMails): void {
  const limit = createEmailedLinkLimit(options.database);
  app.route<{ Body: { email: string } }>({
    method: 'POST',
    url: '/email',
    schema: { hide: true, body: Type.Object({ email: Type.String({ maxLength: 320, format: 'text' }) }) },
    handler: async (request, reply) => {
      await limit(request.ip, request.body.email);
      reply.code(202).send();
      await sendLinks(request, options, mails);
      return reply;
    },
  });
}

async function sendLinks(
  { body, log }: FastifyRequest<{ Body: { email: string } }>,
  options: SessionOptions,
  { letterhead, directMail }: UserMails,
): Promise<void> {
  try {
    for (const { user, secret, language, workspaces } of await makeLinksOf(options.database, options, body.email)) {
      const head = letterhead();
      const link = signInAddress(head.publicUrl, secret);
      const { delivery, answer } = await directMail.send(
        writeSignInMail(head, { to: user.email, link, workspaces, language }),
      );
      if (delivery === 'FAILED') log.warn({ userId: user.id, answer }, 'A sign-in link could not be emailed.');
    }
  } catch (error) {
    log.warn({ err: error }, 'A sign-in link could not be emailed.');
  }
}
