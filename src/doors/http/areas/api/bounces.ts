import Type from 'typebox';
import { takeBounce } from '../../../../giving/delivery/bounce.ts';
import { type BounceFacts, readReport } from '../../../../giving/delivery/bounce-report.ts';
import { answerOf } from '../../../../giving/delivery/send/outcome.ts';
import { Bounce, BounceResult } from '../../../../ground/contract/bounce.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import { Failure } from '../../../../ground/errors.ts';
import { mebibyte } from '../../body/body-limits.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';

/** The types under which programs send an email that came back. */
const reportTypes = ['message/rfc822', 'multipart/report'];
const report = Type.String({
  description: 'A delivery status report (RFC 3464), as the mail server sent it.',
  examples: ['Content-Type: multipart/report; report-type=delivery-status; …'],
});

const bounceRoutes: Routes = async (app, { people, keys }) => {
  app.addContentTypeParser(reportTypes, { parseAs: 'string' }, async (_request: unknown, body: string) => body);

  operation(app, 'reportBounce', 'POST /', 'gifts:manage', {
    bodyLimit: mebibyte,
    summary: 'Report an email that came back',
    description:
      'As JSON, or as the delivery status report that the mail server sent. The Message-ID or the return path names the email.',
    body: {
      content: {
        'application/json': { schema: ref(Bounce) },
        ...Object.fromEntries(reportTypes.map((type) => [type, { schema: report }])),
      },
    },
    returns: json('The gift that the email was about, and what has changed.', BounceResult),
    fails: [404],
    preValidation: async (request) => {
      if (request.body === undefined)
        throw new Failure('invalid', 'The body is missing: send JSON or a delivery status report.');
    },
    handler: async ({ workspaceId, actor, body }) => {
      const facts = factsOf(body as string | Bounce);
      const result = await takeBounce(people, keys, actor, workspaceId, facts);
      if (!result)
        throw new Failure(
          'missing',
          'No email of this workspace has this name: send the Message-ID or the return path as Giftwire has made them.',
        );
      return result;
    },
  });
};

function factsOf(body: string | Bounce): BounceFacts {
  if (typeof body !== 'string') {
    const { messageId, returnPath, status, reason } = body;
    const names = [messageId, returnPath].join(' ');
    return { names, status, isFinal: status.startsWith('5'), answer: answerOf(reason ?? status) };
  }
  const facts = readReport(body);
  if (!facts)
    throw new Failure(
      'invalid',
      'The body must be a delivery status report (RFC 3464) of an email that did not arrive.',
    );
  return facts;
}

export const bounces: Resource = {
  prefix: '/bounces',
  tag: { name: 'Bounces', description: 'Emails about gifts that came back.' },
  schemas: [Bounce, BounceResult],
  routes: bounceRoutes,
};
