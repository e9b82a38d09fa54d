import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { readEmployeeSettings } from '../../company/workspaces/employee-settings.ts';
import type { NewPost } from '../../ground/contract/feed.ts';
import type { MyGiving, NewPostGift, PostGiftCheck } from '../../ground/contract/post-gift.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { sumOf } from '../../ground/values/money.ts';
import { readGivable } from '../budgets/givable.ts';
import type { OrderTrial } from '../orders/validate.ts';
import { findReceivers } from '../recognition/posts.ts';
import { checkForm, checkSource, giftOrder, needsRule } from './give-with-gifts.ts';

/** What the caller can give together with posts. */
export async function readMyGiving(on: Queryable, { workspaceId, memberId }: WorkspaceGrant): Promise<MyGiving> {
  const { givesGifts, feedShowsGifts } = await readEmployeeSettings(on, workspaceId);
  return { giving: givesGifts ? await readGivable(on, workspaceId, memberId) : [], feedShowsGifts };
}

/** Says what would become of a post with gifts, by the same checks. */
export async function checkPostGift(
  { on, trial }: { on: Queryable; trial: OrderTrial },
  { workspace, callerId: tokenId }: { workspace: WorkspaceGrant; callerId: number },
  post: NewPost & { gift: NewPostGift },
): Promise<PostGiftCheck> {
  const { receivers } = await findReceivers(on, workspace, post);
  const said = { gifts: receivers.length, total: sumOf(receivers.map(() => post.gift.amount)), rule: null };
  try {
    checkForm(post);
    await checkSource(on, workspace, post.gift.currency);
    const order = await giftOrder(on, workspace, post, receivers);
    // The recipients are colleagues whom the caller has found, not only the reports of a manager.
    const { faults, rule } = await trial.validate({
      workspace: { ...workspace, onlyReportsOf: null },
      tokenId,
      order,
      faults: [],
    });
    const problem = faults[0]?.problem ?? null;
    if (problem === null && workspace.asksForApproval && rule === null) throw needsRule();
    return { ...said, problem, rule: rule?.name ?? null };
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'unavailable') return { ...said, problem: error.message };
    throw error;
  }
}
