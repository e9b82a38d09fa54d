import { audit } from '../../company/workspaces/audit.ts';
import { lockWorkspace } from '../../company/workspaces/lock.ts';
import type { GiftMails } from '../../giving/gifts/claim.ts';
import { type Gift, readGiftsById } from '../../giving/gifts/gift.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { SpendingRequest } from '../../ground/contract/spending-request.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { spendingKinds, sqlKindsWith } from '../../ground/values/spending-kinds.ts';
import { decline, fulfil } from './finish.ts';
import { readRedemption, readTogether } from './read.ts';

const decisions = {
  fulfil: { finish: fulfil, action: 'redemption.fulfilled' },
  decline: { finish: decline, action: 'redemption.declined' },
} as const;

/**
 * Fulfils or declines what a recipient asked for, all gifts that it draws on. Declined, they have their balance back. The recipient reads the note on the page of
 * the gift, and gets an email if `mails` are given. The same decision again changes nothing.
 */
export async function decideSpendingRequest(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  id: number,
  decision: keyof typeof decisions,
  note?: string,
  mails: GiftMails | null = null,
): Promise<SpendingRequest> {
  await lockWorkspace(tx, workspaceId);
  const { kind, spendingOptionName } = await readRedemption(tx, workspaceId, id);
  if (spendingKinds[kind].fulfilledBy !== 'colleague')
    throw new Failure('conflict', `Redemption ${id} has the kind ${kind}: only requests can be fulfilled or declined.`);
  const { finish, action } = decisions[decision];
  const ids = await readTogether(tx, workspaceId, id);
  const changed = await finish(tx, actor, workspaceId, ids, note === undefined ? {} : { note });
  if (changed.length > 0) {
    await audit(tx, { workspaceId, actor, action, subject: { id, name: spendingOptionName } });
    if (mails) await mailDecision(tx, mails, workspaceId, ids[0] as number);
  }
  return readSpendingRequest(tx, workspaceId, id);
}

/**
 * The email says which request of the gift it is about, the first, the second …: a message's id has no room for a redemption's. Of a request that draws
 * on several gifts, the email is about the first of them.
 */
async function mailDecision(tx: Queryable, mails: GiftMails, workspaceId: number, id: number) {
  const { giftId } = await readRedemption(tx, workspaceId, id);
  const [gift] = (await readGiftsById(tx, workspaceId, [giftId])) as [Gift];
  const { nth } = await queryOne<{ nth: number }>(
    tx,
    `select count(*) as nth
       from redemptions
      where workspace_id = $1
        and request_id = $2
        and position = $3
        and kind in ${sqlKindsWith('fulfilledBy', 'colleague')}
        and id <= $4`,
    [workspaceId, gift.requestId, gift.position, id],
  );
  await mails.queue(tx, gift, 'DECISION', nth);
}

async function readSpendingRequest(tx: Queryable, workspaceId: number, id: number): Promise<SpendingRequest> {
  const { giftId, state, spendingOption, amount, currency, left, requestText, note, finishedAt } = await readRedemption(
    tx,
    workspaceId,
    id,
  );
  return { id, giftId, state, spendingOption, amount, currency, left, requestText, note, finishedAt };
}
