import type { FastifyRequest } from 'fastify';
import { readNames } from '../../../../company/directory/members.ts';
import { withPictures } from '../../../../giving/delivery/compose/compose.ts';
import { addressTest, draftGift, writeDraft } from '../../../../giving/delivery/compose/drafts.ts';
import { listReasons, notOffered } from '../../../../giving/recognition/reasons.ts';
import { GiftDraft, GiftPreview, GiftTest } from '../../../../ground/contract/gift-draft.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { Failure, invalid } from '../../../../ground/errors.ts';
import { createTestMailLimit } from '../../limits/pace.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { json } from './returns.ts';

type Draft = FastifyRequest<{ Body: GiftDraft }>;

export const draftRoutes: Routes = async (app, options) => {
  const { lookUps, letterhead, previewPage, directMail } = options;
  const limitTests = createTestMailLimit();
  const draft = async ({ caller, body }: Draft) =>
    draftGift(lookUps, caller.workspace, body, await reasonOf(lookUps, caller.workspace.workspaceId, body));

  operation(app, 'previewGift', 'POST /preview', 'orders:write', {
    changesNothing: true,
    forManagers: true,
    summary: 'Preview a gift',
    description: 'What the recipient of a gift would see: the email and the page. Nothing is ordered, nothing is sent.',
    body: GiftDraft,
    returns: json('Mail and page.', GiftPreview),
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

  operation(app, 'testGift', 'POST /test', 'orders:write', {
    actsOutside: true,
    forManagers: true,
    summary: 'Mail yourself a test',
    description:
      "Sends the email about a gift to the caller's own address, marked as a test. Its link and its code open no gift.",
    body: GiftDraft,
    returns: json('What has become of the email.', GiftTest),
    fails: [409],
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
  if (grant.session?.user) return grant.session.user.email;
  const [self] = await readNames(on, workspace.workspaceId, [workspace.memberId]);
  if (self?.email) return self.email;
  throw new Failure(
    'conflict',
    'A test goes to your own email address, and this token acts as a member without one: use the token of a person.',
  );
}
