import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import type { DirectMail } from '../../../../giving/delivery/direct-mail.ts';
import { sendMailTest } from '../../../../giving/delivery/mail-test.ts';
import type { Letterhead } from '../../../../giving/delivery/message.ts';
import { readPause } from '../../../../giving/delivery/pace.ts';
import { MailQuery, MailSetup, MailTest, MailTestResult, mailSchemas } from '../../../../ground/contract/mail.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { createTestMailLimit } from '../../limits/pace.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import type { Resource } from './resource.ts';
import { tidyMailTest } from './tidy.ts';

export interface MailOptions {
  lookUps: Queryable;
  people: Database;
  /** `outbox`, `off`, or the URL of the mail server. */
  mailServer: string;
  letterhead: () => Letterhead;
  directMail: Pick<DirectMail, 'send'>;
}

const mailRoutes: FastifyPluginAsyncTypebox<MailOptions> = async (app, options) => {
  const { lookUps, people, mailServer, letterhead, directMail } = options;
  const headers = Type.Object(WorkspaceHeader);
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const limitTests = createTestMailLimit();

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'settings:read' },
    schema: {
      operationId: 'getMail',
      summary: 'Get how mail is sent',
      description: 'Where mails go, and whether the mail server takes them.',
      headers,
      querystring: MailQuery,
      response: {
        200: { description: 'How mails leave this installation.', ...json(ref(MailSetup)) },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async () => {
      const paused = await readPause(lookUps);
      return { ...setupOf(mailServer), from: letterhead().from, pausedUntil: paused?.toISOString() ?? null };
    },
  });

  app.route({
    method: 'POST',
    url: '/test',
    config: { access: 'settings:manage' },
    schema: {
      operationId: 'testMail',
      summary: 'Send a test mail',
      description: 'Sends a mail that says only that mail works, at once, and answers with what the mail server said.',
      headers,
      body: ref(MailTest),
      response: {
        200: { description: 'What has become of it.', ...json(ref(MailTestResult)) },
        ...problems(400, 401, 403, 406, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyMailTest(request.body) as typeof request.body;
    },
    handler: async ({ grant, caller, body: { to } }) => {
      const { workspaceId } = caller.workspace;
      await limitTests(`workspace ${workspaceId}`);
      return sendMailTest({ people, directMail, letterhead: letterhead() }, actorOf(grant), workspaceId, to);
    },
  });
};

/** The URL of the mail server has its password, so only host and port are shown. */
function setupOf(mailServer: string): Pick<MailSetup, 'delivery' | 'server'> {
  if (mailServer === 'off') return { delivery: 'OFF', server: null };
  if (mailServer === 'outbox') return { delivery: 'OUTBOX', server: null };
  return { delivery: 'SMTP', server: new URL(mailServer).host };
}

export const mail: Resource<MailOptions> = {
  prefix: '/mail',
  tag: { name: 'Mail', description: 'How mails leave this installation.' },
  schemas: mailSchemas,
  routes: mailRoutes,
};
