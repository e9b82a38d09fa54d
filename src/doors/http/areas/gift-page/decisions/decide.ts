import { asThemselves } from '../../../../../company/access/actor.ts';
import { decideOrders } from '../../../../../giving/approvals/decide.ts';
import { isFormToken } from '../../../../../giving/delivery/approvals/link.ts';
import { Failure } from '../../../../../ground/errors.ts';
import { isText } from '../../../../../ground/values/text.ts';
import type { Shown } from '../shown.ts';
import type { Fields } from '../visitor.ts';
import { decisionPageOf, shownOf } from './page-of.ts';
import { longestComment } from './request.ts';
import { type DecisionPageOptions, readVisited, type Visit } from './visit.ts';

const decisions = ['APPROVED', 'DECLINED'] as const;

/** Decides the orders that the page has shown, by the same rules as in the console, and responds with what was decided. */
export async function decide(options: DecisionPageOptions, visit: Visit, fields: Fields): Promise<Shown> {
  const { words, approver } = visit;
  const { form = '' } = fields;
  const decision = decisions.find((one) => one === fields.decision);
  const comment = (fields.comment ?? '').trim();
  const { open } = await readVisited(options, visit);
  if (!open || !approver) return decisionPageOf(options, visit, undefined, 409);
  const rejected = (problem: string | null, isCommentWrong: boolean, status: number) =>
    decisionPageOf(options, visit, { comment, problem, isCommentWrong }, status);
  if (!decision || !isFormToken(options.keys, visit.mail, shownOf(open), form))
    return rejected(words.say('decideChanged'), false, 409);
  if (!isGoodComment(comment, decision)) return rejected(null, true, 400);
  try {
    const made = { requestIds: open.requestIds, decision, comment: comment === '' ? null : comment };
    const actor = asThemselves(approver.user);
    await decideOrders(options.people, options.steps, approver.workspace, actor, made, 'EMAIL');
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.kind === 'unavailable') throw failure;
    // Another approver was faster, or a limit has changed.
    return rejected(words.say('decideRejected', { problem: failure.message }), false, 409);
  }
  return decisionPageOf(options, visit);
}

function isGoodComment(comment: string, decision: string): boolean {
  if (comment === '') return decision === 'APPROVED';
  return comment.length <= longestComment && isText(comment);
}
