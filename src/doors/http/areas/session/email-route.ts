import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { makeLinksOf } from '../../../../company/access/emailed-links.ts';
import { signInAddress } from '../../../../company/access/sessions.ts';
import { type UserMails, writeSignInMail } from '../../../../giving/delivery/sign-in-mail.ts';
import { createEmailedLinkLimit } from '../../limits/pace.ts';
import { employeesPath, type SessionOptions } from './options.ts';

/**
 * Emails a sign-in link. The response comes before anything is looked up, so neither its content nor its time tells whether an address is
 * known, and the limits count known and unknown addresses alike.
 */
export function serveEmailedLinks(app: FastifyInstance, options: SessionOptions, mails: UserMails): void {
  const limit = createEmailedLinkLimit(options.database);
  app.route<{ Body: Asked }>({
    method: 'POST',
    url: '/email',
    schema: {
      hide: true,
      body: Type.Object({
        email: Type.String({ maxLength: 320, format: 'text' }),
        page: Type.Optional(Type.Literal('my')),
        workspace: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      }),
    },
    handler: async (request, reply) => {
      await limit(request.ip, request.body.email);
      reply.code(202).send();
      await sendLinks(request, options, mails);
      return reply;
    },
  });
}

interface Asked {
  email: string;
  /** The pages of employees, also for a user; absent: the console for users. */
  page?: 'my';
  /** The workspace in whose pages the link was asked for. */
  workspace?: number;
}

async function sendLinks(
  { body, log }: FastifyRequest<{ Body: Asked }>,
  options: SessionOptions,
  { letterhead, directMail }: UserMails,
): Promise<void> {
  try {
    for (const { to, userId, secret, language, workspaces } of await makeLinksOf(
      options.database,
      options,
      body.email,
    )) {
      const head = letterhead();
      const isOpen = workspaces.some(({ id }) => id === body.workspace);
      const pages = userId !== null && body.page !== 'my' ? '' : employeesPath + (isOpen ? `/${body.workspace}` : '');
      const link = signInAddress(head.publicUrl + pages, secret);
      const names = workspaces.map(({ name }) => name);
      const { delivery, answer } = await directMail.send(
        writeSignInMail(head, { to, link, workspaces: names, language }),
      );
      if (delivery === 'FAILED') log.warn({ userId, answer }, 'A sign-in link could not be emailed.');
    }
  } catch (error) {
    log.warn({ err: error }, 'A sign-in link could not be emailed.');
  }
}
