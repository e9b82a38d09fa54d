import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { ReadTraces } from '../../../../company/access/read-traces.ts';
import type { Letterhead } from '../../../../giving/delivery/message.ts';
import { findInOutbox, listOutbox, mailRead, type SentHead } from '../../../../giving/delivery/outbox.ts';
import {
  OutboxMailWithText,
  OutboxPage,
  OutboxParams,
  OutboxQuery,
  outboxSchemas,
} from '../../../../ground/contract/mail.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import type { Resource } from './resource.ts';

export interface OutboxOptions {
  lookUps: Queryable;
  environment: 'test' | 'production';
  /** Asked for each mail: where the service listens is known only after its start. */
  letterhead: () => Letterhead;
  traces: ReadTraces;
}

const outboxRoutes: FastifyPluginAsyncTypebox<OutboxOptions> = async (app, options) => {
  const { lookUps, environment, letterhead, traces } = options;
  const headers = Type.Object(WorkspaceHeader);
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });

  // An email has the link of its gift, and a link is as good as the gift: production shows no emails, and the test environment shows
  // them to callers who may print gifts.
  const config = { access: 'gifts:manage' as const };
  app.addHook('preHandler', async () => {
    if (environment === 'production')
      throw new Failure('missing', 'The outbox exists in the test environment only: production sends its mails.');
  });

  app.route({
    method: 'GET',
    url: '',
    config,
    schema: {
      operationId: 'listOutbox',
      summary: 'List sent mails',
      description:
        'The mails about gifts that were sent, in the test environment. Each is written once more when it is read.',
      headers,
      querystring: OutboxQuery,
      response: {
        200: { description: 'The latest first.', ...json(ref(OutboxPage)) },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, query: { size, before } }) => {
      const { workspaceId } = caller.workspace;
      const mails = await listOutbox(lookUps, letterhead(), { workspaceId, limit: size, before: before ?? null });
      return { mails: mails.map(summary) };
    },
  });

  app.route({
    method: 'GET',
    url: '/:id',
    config,
    schema: {
      operationId: 'getOutboxMail',
      summary: 'Get a sent mail',
      description: 'What an email says, with the link of its gift, in the test environment.',
      headers,
      params: OutboxParams,
      response: {
        200: { description: 'The mail.', ...json(ref(OutboxMailWithText)) },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, grant, params }) => {
      const { workspaceId } = caller.workspace;
      const mail = await findInOutbox(lookUps, letterhead(), params.id, workspaceId);
      await traces.note(grant, workspaceId, mailRead(mail));
      return { ...summary(mail), text: mail.text, html: mail.html };
    },
  });
};

function summary({ id, giftId, kind, sentAt, to, from, subject }: SentHead) {
  return { id, giftId, kind, sentAt: sentAt.toISOString(), to, from, subject };
}

export const outbox: Resource<OutboxOptions> = {
  prefix: '/outbox',
  tag: { name: 'Outbox', description: 'Sent mails, for people who try things out.' },
  schemas: outboxSchemas,
  routes: outboxRoutes,
};
