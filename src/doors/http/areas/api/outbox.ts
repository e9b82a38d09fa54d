import { findInOutbox, listOutbox, mailRead, type SentHead } from '../../../../giving/delivery/outbox.ts';
import {
  OutboxMailWithText,
  OutboxPage,
  OutboxParams,
  OutboxQuery,
  outboxSchemas,
} from '../../../../ground/contract/mail.ts';
import { Failure } from '../../../../ground/errors.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';

const outboxRoutes: Routes = async (app, options) => {
  const { lookUps, environment, letterhead, traces } = options;

  // An email has the link of its gift, and a link is as good as the gift: production shows no emails, and the test environment shows
  // them to callers who may print gifts.
  app.addHook('preHandler', async () => {
    if (environment === 'production')
      throw new Failure('missing', 'The outbox exists in the test environment only: production sends its mails.');
  });

  operation(app, 'listOutbox', 'GET /', 'gifts:manage', {
    summary: 'List sent emails',
    description:
      'The emails about gifts that were sent, in the test environment. Each is written once more when it is read.',
    query: OutboxQuery,
    returns: json('The latest first.', OutboxPage),
    fails: [404],
    listsPeople: { of: 'emails', field: 'mails' },
    handler: async ({ workspaceId, query: { size, before } }) => {
      const mails = await listOutbox(lookUps, letterhead(), { workspaceId, limit: size, before: before ?? null });
      return { mails: mails.map(summary) };
    },
  });

  operation(app, 'getOutboxMail', 'GET /:id', 'gifts:manage', {
    summary: 'Get a sent mail',
    description: 'What an email says, with the link of its gift, in the test environment.',
    params: OutboxParams,
    returns: json('The email.', OutboxMailWithText),
    handler: async ({ workspaceId, grant, params }) => {
      const mail = await findInOutbox(lookUps, letterhead(), params.id, workspaceId);
      await traces.note(grant, workspaceId, mailRead(mail));
      return { ...summary(mail), text: mail.text, html: mail.html };
    },
  });
};

function summary({ id, giftId, kind, sentAt, to, from, subject }: SentHead) {
  return { id, giftId, kind, sentAt: sentAt.toISOString(), to, from, subject };
}

export const outbox: Resource = {
  prefix: '/outbox',
  tag: { name: 'Outbox', description: 'Sent emails, for people who try things out.' },
  schemas: outboxSchemas,
  routes: outboxRoutes,
};
