import { asThemselves } from '../../../../../company/access/actor.ts';
import { decideOrders } from '../../../../../giving/approvals/decide.ts';
import { isFormToken } from '../../../../../giving/delivery/mail-link.ts';
import { Failure } from '../../../../../ground/errors.ts';
import { longest, textProblem } from '../../../../../ground/values/text.ts';
import type { Shown } from '../shown.ts';
import { type Fields, typedText } from '../visitor.ts';
import { decisionPageOf, shownOf } from './page-of.ts';
import { type DecisionPageOptions, readVisited, type Typed, type Visit } from './visit.ts';

const decisions = ['APPROVED', 'DECLINED'] as const;

/** What the page says about a decision that was rejected, by the kind of the failure. Messages of failures are in English alone. */
const problems: Partial<Record<Failure['kind'], 'decideChanged' | 'decideOverLimit'>> = {
  conflict: 'decideChanged',
  forbidden: 'decideChanged',
  missing: 'decideChanged',
  overBudget: 'decideOverLimit',
};

/** Decides the orders that the page has shown, by the same rules as in the console, and responds with what was decided. */
export async function decide(options: DecisionPageOptions, visit: Visit, fields: Fields): Promise<Shown> {
  const { words, approver } = visit;
  const { form = '' } = fields;
  const decision = decisions.find((one) => one === fields.decision);
  const comment = typedText(fields.comment);
  const { open } = await readVisited(options, visit);
  if (!open || !approver) return decisionPageOf(options, visit, undefined, 409);
  const rejected = (problem: string) => decisionPageOf(options, visit, { comment, problem, commentFault: null }, 409);
  if (!decision || !isFormToken(options.keys, visit.mail, shownOf(open), form))
    return rejected(words.say('decideChanged'));
  const commentFault = faultOf(comment, decision);
  if (commentFault !== null) return decisionPageOf(options, visit, { comment, problem: null, commentFault }, 400);
  try {
    const { requestIds, level } = open;
    const made = { requestIds, decision, comment: comment === '' ? null : comment, level };
    const seen = new Map(visit.mail.orders.map(({ requestId, since }) => [requestId, new Date(since)]));
    const actor = asThemselves(approver.user);
    await decideOrders(options.people, options.steps, approver.workspace, actor, made, 'EMAIL', seen);
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.kind === 'unavailable') throw failure;
    // Another approver was faster, or a limit has changed.
    return rejected(words.say(problems[failure.kind] ?? 'decideRejected'));
  }
  return decisionPageOf(options, visit);
}

function faultOf(comment: string, decision: string): Typed['commentFault'] {
  if (comment === '') return decision === 'APPROVED' ? null : 'commentFault';
  return textProblem(comment, longest.comment) === null ? null : 'commentLong';
}
