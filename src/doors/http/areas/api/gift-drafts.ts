import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { readNames } from '../../../../company/directory/members.ts';
import { withPictures } from '../../../../giving/delivery/compose.ts';
import type { DirectMail } from '../../../../giving/delivery/direct-mail.ts';
import { addressTest, type DraftedGift, draftGift, writeDraft } from '../../../../giving/delivery/drafts.ts';
import type { Letterhead } from '../../../../giving/delivery/message.ts';
import { listReasons, notOffered } from '../../../../giving/recognition/reasons.ts';
import { GiftDraft, GiftPreview, GiftTest } from '../../../../ground/contract/gift-draft.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { Failure, invalid } from '../../../../ground/errors.ts';
import { createTestMailLimit } from '../../limits/pace.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { tidyDraft } from './tidy.ts';

export interface GiftDraftOptions {
  lookUps: Queryable;
  /** Asked for each mail: where the service listens is known only after its start. */
  letterhead: () => Letterhead;
  /** The page of a draft. */
  previewPage: (on: Queryable, drafted: DraftedGift, publicUrl: string) => Promise<string>;
  directMail: DirectMail;
}

type Draft = FastifyRequest<{ Body: GiftDraft }>;

export const draftRoutes: FastifyPluginAsyncTypebox<GiftDraftOptions> = async (app, options) => {
  const { lookUps, letterhead, previewPage, directMail } = options;
  const headers = Type.Object(WorkspaceHeader);
  const config = { access: 'orders:write' as const, forManagers: true };
  const limitTests = createTestMailLimit();
  const answers = problems(400, 401, 403, 406, 413, 415, 429, 500, 503);
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const draft = async ({ caller, body }: Draft) =>
    draftGift(lookUps, caller.workspace, body, await reasonOf(lookUps, caller.workspace.workspaceId, body));

  app.addHook('preValidation', async (request) => {
    request.body = tidyDraft(request.body);
  });

  app.route({
    method: 'POST',
    url: '/preview',
    config,
    schema: {
      operationId: 'previewGift',
      summary: 'Preview a gift',
      description:
        'What the recipient of a gift would see: the mail and the page. Nothing is ordered, nothing is sent.',
      headers,
      body: ref(GiftDraft),
      response: { 200: { description: 'Mail and page.', ...json(ref(GiftPreview)) }, ...answers },
    },
    handler: async (request) => {
      const drafted = await draft(request);
      const mail = writeDraft(letterhead(), drafted);
      return {
        from: mail.fromName,
        subject: mail.subject,
        text: mail.text,
        mail: withPictures(mail),
        page: await previewPage(lookUps, drafted, letterhead().publicUrl),
        claimBy: drafted.gift.expiresAt?.toISOString() ?? null,
      };
    },
  });

  app.route({
    method: 'POST',
    url: '/test',
    config,
    schema: {
      operationId: 'testGift',
      summary: 'Mail yourself a test',
      description:
        "Sends the mail about a gift to the caller's own address, marked as a test. Its link and its code open no gift.",
      headers,
      body: ref(GiftDraft),
      response: {
        200: { description: 'What has become of the mail.', ...json(ref(GiftTest)) },
        ...answers,
        ...problems(409),
      },
    },
    handler: async (request) => {
      const to = await ownAddress(lookUps, request);
      const mail = addressTest(letterhead(), await draft(request), to);
      await limitTests(to);
      return { to, subject: String(mail.subject), ...(await directMail.send(mail)) };
    },
  });
};

async function reasonOf(on: Queryable, workspaceId: number, { reasonId }: GiftDraft): Promise<string> {
  const reasons = await listReasons(on, workspaceId);
  const reason = reasons.find(({ id, isDefault }) => (reasonId ? id === reasonId : isDefault));
  if (!reason) throw invalid([{ path: 'reasonId', problem: notOffered }]);
  return reason.description;
}

/** The address of the person who is signed in, else of the member whom the token acts as. */
async function ownAddress(on: Queryable, { grant, caller: { workspace } }: FastifyRequest): Promise<string> {
  if (grant.session) return grant.session.user.email;
  const [self] = await readNames(on, workspace.workspaceId, [workspace.memberId]);
  if (self?.email) return self.email;
  throw new Failure(
    'conflict',
    'A test goes to your own address, and this token acts for nobody who has one: use the token of a person.',
  );
}
